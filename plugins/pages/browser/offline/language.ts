const LANGUAGES = ['kk', 'ru', 'en'] as const

/** The language of the address, or else of the browser: the page has nothing else to remember it by. */
const chosen = new URLSearchParams(location.hash.slice(1)).get('lang')
const wanted = [chosen, ...navigator.languages.map((one) => one.slice(0, 2))]
document.documentElement.lang = wanted.find((one) => LANGUAGES.some((known) => known === one)) ?? 'ru'
addEventListener('hashchange', () => location.reload())
