/** Calls back once the page has loaded and has nothing better to do. */
export function onceIdle(work: () => void): void {
  // Safari has no idle callbacks before version 26.
  const later = () => ('requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work))
  if (document.readyState === 'complete') later()
  else addEventListener('load', later, { once: true })
}
