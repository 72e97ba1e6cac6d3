// The public types of position encodings.

/** @typedef {import('../tensor-input.js').TensorInput} TensorInput */
/** @typedef {import('../tensor.js').Tensor<Float32Array>} Tensor */

/**
 * @typedef {object} RopeOptions
 * @property {number} [base] at least 1, default 10000
 * @property {number} [offset] the position of the first row, a whole number up to 2^52 to both sides; default 0
 * @property {boolean} [interleaved] Which components make a pair: 2c and 2c + 1, as in the paper, or by default c and
 *   c + dims/2, as in most models.
 * @property {number} [dims] how many components of each row are turned, an even number. Default: all.
 */

/**
 * @typedef {object} AlibiSettings
 * @property {number} heads
 * @property {number} queries
 * @property {number} keys
 * @property {number} [queryOffset] The position of query 0 on the keys' axis. Default keys − queries, as for `attention`.
 */

/**
 * @typedef {object} SinusoidalSettings
 * @property {number} length
 * @property {number} dim width of a row; an odd one ends with a sine
 * @property {number} [base] at least 1, default 10000
 * @property {number} [offset] the position of the first row, as for `rope`; default 0
 */

/**
 * Computed in float64 and rounded once; angles of far positions lose no digits.
 *
 * @typedef {object} Positions
 * @property {(x: TensorInput, options?: RopeOptions) => Tensor} rope
 *   Rotary position embedding (Su et al. 2021) of queries or keys [B, H, n, d], rank 2 to 4: pair c of row i is turned by
 *   (offset + i) · base^(−2c/dims). Lengths stay, and q·k depends on the distance of their positions alone.
 * @property {(settings: AlibiSettings) => Tensor} alibi
 *   Attention with linear biases (Press et al. 2022), a `bias` [heads, queries, keys]: −slope · |i + queryOffset − j|.
 *   The slopes of n heads are 2^(−8/n), 2^(−16/n), …, 2^(−8) if n is a power of two; other numbers of heads take the
 *   slopes of the next smaller power and then every second one of the next larger.
 * @property {(settings: SinusoidalSettings) => Tensor} sinusoidal
 *   [length, dim] (Vaswani et al. 2017), to be added to the inputs: for position p, sin(p · base^(−2c/dim)) in column 2c
 *   and its cosine in column 2c + 1.
 */

export {};
