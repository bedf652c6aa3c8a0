/** Milliseconds after which a busy page is called back too: some browsers never call back a page that draws nothing. */
const LATEST = 2000

/** Calls back once the page has loaded and has nothing better to do. */
export function onceIdle(work: () => void): void {
  // Safari has no idle callbacks before version 26.
  const later = () =>
    'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: LATEST }) : setTimeout(work)
  if (document.readyState === 'complete') later()
  else addEventListener('load', later, { once: true })
}
