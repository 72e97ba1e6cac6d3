import { recall, remember } from './memory.js';

/** How long the end of a section must stay in view before the section counts as read. */
const lingerMs = 1000;

/** Marks the sections that were read in the contents, and the one that is being read. */
export function startReading() {
  const entries = new Map(
    [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-section]'))].map((entry) => [entry.dataset.section ?? '', entry]),
  );
  const read = new Set((recall('read') ?? '').split(' ').filter((id) => entries.has(id)));
  const forget = /** @type {HTMLButtonElement} */ (document.querySelector('[data-forget]'));

  const show = () => {
    for (const [id, entry] of entries) entry.classList.toggle('is-read', read.has(id));
    forget.hidden = read.size === 0;
  };

  /** Sections whose heading was in view: an end alone, seen by whoever jumps to the next section, is not reading. */
  const begun = /** @type {Set<string | undefined>} */ (new Set());
  const headings = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) if (isIntersecting) begun.add(target.closest('section')?.id);
  });
  for (const heading of document.querySelectorAll('section > h2')) headings.observe(heading);

  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  const timers = new Map();
  const ends = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      const id = /** @type {HTMLElement} */ (target).dataset.endOf ?? '';
      clearTimeout(timers.get(id));
      if (!isIntersecting || !begun.has(id) || !entries.has(id) || read.has(id)) continue;
      timers.set(
        id,
        setTimeout(() => {
          read.add(id);
          remember('read', [...read].join(' '));
          show();
        }, lingerMs),
      );
    }
  });
  for (const end of document.querySelectorAll('[data-end-of]')) ends.observe(end);

  // The section under a line a third down the window is the one being read.
  const current = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const link = entries.get(target.id)?.querySelector('a');
        if (isIntersecting) link?.setAttribute('aria-current', 'location');
        else link?.removeAttribute('aria-current');
      }
    },
    { rootMargin: '-33% 0% -67% 0%' },
  );
  for (const id of entries.keys()) {
    const section = document.getElementById(id);
    if (section) current.observe(section);
  }

  forget.addEventListener('click', () => {
    for (const timer of timers.values()) clearTimeout(timer);
    read.clear();
    remember('read', null);
    show();
    /** @type {HTMLElement | null} */ (document.querySelector('#contents-title'))?.focus();
  });
  show();
}
