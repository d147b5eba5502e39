/**
 * Starts the application once the outline of the page is painted. Everything that is evaluated before would delay it:
 * so this file imports nothing, and the page has had the rest fetched beside it.
 */
async function start(): Promise<void> {
  await painted()
  const { application } = await import('./app/application.tsx')
  await application()
}

/** How long the browser may take to say that it has painted, in ms. */
const PATIENCE_MS = 150

/** When the outline is on the screen. A tab in the background paints nothing, and does not wait. */
function painted(): Promise<void> {
  if (document.hidden) return Promise.resolve()
  return new Promise((done) => {
    new PerformanceObserver(() => done()).observe({ type: 'paint', buffered: true })
    setTimeout(done, PATIENCE_MS)
  })
}

void start()
