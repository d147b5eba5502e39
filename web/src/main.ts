/**
 * Starts the application once the outline of the page is painted. Code that is evaluated before would delay it:
 * so this file imports nothing, and the page preloads the rest in parallel.
 */
async function start(): Promise<void> {
  await painted()
  const { application } = await import('./app/application.tsx')
  await application()
}

/** How long to wait for the browser to report that it has painted, in ms. */
const PATIENCE_MS = 150

/** Resolves when the outline is on the screen. A background tab paints nothing, and does not wait. */
function painted(): Promise<void> {
  if (document.hidden) return Promise.resolve()
  return new Promise((done) => {
    new PerformanceObserver(() => done()).observe({ type: 'paint', buffered: true })
    setTimeout(done, PATIENCE_MS)
  })
}

void start()
