// Runs before the first paint, as a classic script: the page's language and colours are right from the start.
(() => {
  const root = document.documentElement;

  /** @param {string} name @returns {string | null} */
  const recall = (name) => {
    try {
      return localStorage.getItem(`attn-note.${name}`);
    } catch {
      return null;
    }
  };

  const languages = (root.dataset.languages ?? 'en').split(' ');
  /** @param {string | null} tag @returns {string | undefined} */
  const match = (tag) => {
    const wanted = (tag ?? '').toLowerCase();
    return (
      languages.find((language) => language.toLowerCase() === wanted) ??
      languages.find((language) => language.split('-')[0].toLowerCase() === wanted.split('-')[0])
    );
  };

  const asked = new URLSearchParams(location.search).get('lang');
  for (const tag of [asked, recall('language'), ...navigator.languages]) {
    const language = match(tag);
    if (language) {
      root.lang = language;
      break;
    }
  }

  const theme = recall('theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
})();
