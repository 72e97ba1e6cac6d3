import { describe, numbersOf } from './description.js';
import { isRefusal, refusals } from './errors.js';
import { instantiateNow } from './instance.js';
import { Memory } from './memory.js';

/** @typedef {import('./instance.js').Instance} Instance */
/** @typedef {{ raw: Instance['raw'], memory: Memory }} Live */

/** attn::Status, in its order. */
const statuses = ['ok', 'invalidShape', 'invalidOptions', 'tooLarge', 'outOfMemory'];

/** What an engine runs its calls on: one instance at a time, replaced by a fresh one if a call breaks it. */
export class Core {
  #ended = refusals.disposed;
  /** Whether the stack has overflowed within the instance: it is replaced once there is room on the stack again. */
  #overflowed = false;

  /**
   * @param {WebAssembly.Module} module
   * @param {Instance} instance
   * @param {() => void} onEnd called when there is no instance any more and will be none
   */
  constructor(module, instance, onEnd = () => {}) {
    this.module = module;
    /** @type {Live | undefined} */
    this.instance = live(instance);
    this.onEnd = onEnd;
    this.limit = instance.raw._memoryLimit();
    this.kernel = instance.raw._kernelName();
  }

  /** The instance, unless it is gone. @param {string} name the call, for the error sentence */
  live(name) {
    if (this.#overflowed) this.#replace(name);
    if (!this.instance) throw this.#ended(name);
    return this.instance;
  }

  /**
   * Reserves the memory of a call, copies its inputs in and runs it.
   * @template T
   * @param {string} name the call, for error sentences
   * @param {import('./layout.js').Layout} layout
   * @param {(raw: Instance['raw']) => number} reserve
   * @param {(raw: Instance['raw'], base: number) => T} run
   */
  execute(name, layout, reserve, run) {
    const { memory } = this.live(name);
    this.requireFits(name, layout);
    return this.guard(name, layout.bytes, (raw) => {
      const base = reserve(raw);
      if (base === 0) throw this.#noRoom(name, layout);
      memory.write(base, layout);
      return { result: run(raw, base), base, memory };
    });
  }

  /**
   * The same for a call of the attention family, which is described first.
   * @template T
   * @param {string} name the call, for error sentences
   * @param {import('./description.js').Description & { layout: import('./layout.js').Layout }} call
   * @param {import('./raw.js').Prepare} prepare
   * @param {(raw: Instance['raw'], base: number) => T} run
   */
  executeCall(name, call, prepare, run) {
    const { memory } = this.live(name);
    const reserve = (/** @type {Instance['raw']} */ raw) => {
      describe(raw, memory.view(Float64Array), numbersOf(call));
      return prepare(raw, call.layout.bytes);
    };
    return this.execute(name, call.layout, reserve, run);
  }

  /**
   * Runs something of the instance. If that breaks off in the middle, the next call gets a new instance.
   * @template T
   * @param {string} name the call, for error sentences
   * @param {number} bytes what it needs
   * @param {(raw: Instance['raw']) => T} run
   */
  guard(name, bytes, run) {
    const instance = this.live(name);
    try {
      return run(instance.raw);
    } catch (problem) {
      // Where the stack has overflowed, the next call of anything may overflow it again: so this is done first.
      this.#overflowed = true;
      this.instance = undefined;
      const trapped = problem instanceof WebAssembly.RuntimeError;
      if (!trapped && !isRefusal(problem) && !(problem instanceof TypeError)) throw refusals.overflow(name);
      if (!trapped) {
        this.#overflowed = false;
        this.instance = instance;
        throw problem;
      }
      if (hasStack()) {
        this.#overflowed = false;
        const fresh = instantiateNow(this.module);
        if (fresh) this.instance = live(fresh);
        else this.#end(refusals.lost);
      }
      throw refusals.outOfMemory(name, bytes); // an allocation inside the core has failed
    }
  }

  /** @param {string} name */
  #replace(name) {
    const fresh = hasStack() ? instantiateNow(this.module) : undefined;
    if (!fresh) throw refusals.overflow(name);
    this.#overflowed = false;
    this.instance = live(fresh);
  }

  /** Why there is no room for a call whose tensors alone would fit. @param {string} name @param {import('./layout.js').Layout} layout */
  #noRoom(name, layout) {
    const { bytes, largest } = layout.describeWithRows();
    if (Number(bytes) > this.limit) return refusals.tooLarge(name, this.limit, bytes, `${largest}, a row of it at least`);
    return refusals.outOfMemory(name, Math.max(layout.bytes, Number(bytes)));
  }

  /** Throws if a call needs more than the memory can ever grow to. @param {string} name @param {import('./layout.js').Layout} layout */
  requireFits(name, layout) {
    if (layout.bytes <= this.limit) return;
    const { bytes, largest } = layout.describe();
    throw refusals.tooLarge(name, this.limit, bytes, largest);
  }

  /** Throws unless the status of a call is `ok`. @param {string} name @param {number} status @param {import('./layout.js').Layout} layout */
  expectOk(name, status, layout) {
    if (status === 0) return;
    if (statuses[status] === 'outOfMemory') throw refusals.outOfMemory(name, layout.bytes);
    throw refusals.status(name, statuses[status]);
  }

  dispose() {
    if (this.instance || this.#overflowed) this.#end(refusals.disposed);
  }

  /** @param {(name: string) => Error} why what later calls say */
  #end(why) {
    this.#overflowed = false;
    this.instance = undefined;
    this.#ended = why;
    this.onEnd();
  }
}

/** Whether there is room on the stack for making an instance. Without it some engines end the process rather than throw. */
function hasStack() {
  try {
    return framesOf(2000) > 0;
  } catch {
    return false;
  }
}

/** Takes up that many frames: no tail call. @param {number} count @returns {number} */
const framesOf = (count) => (count === 0 ? 0 : 1 + framesOf(count - 1));

/** @param {Instance} instance @returns {Live} */
const live = ({ raw, memory }) => ({ raw, memory: new Memory(memory) });
