// Forms of all pages. Without a connection a browser leaves the page for one of its own, and what was typed is lost:
// a form is sent once the service answers, and stays where it is until then.
const asking = new WeakSet()
const answered = new WeakSet()

document.addEventListener('submit', async (event) => {
  const { target: form, submitter } = event
  // `form.method` is the way to pay, where there is a field of that name.
  if (form.getAttribute('method') !== 'post' || answered.delete(form)) return
  event.preventDefault()
  // A second press while the first one is on its way.
  if (asking.has(form)) return
  asking.add(form)
  const isThere = await isReached()
  asking.delete(form)
  const away = document.querySelector('#away')
  away.hidden = isThere
  if (!isThere) return away.focus()
  answered.add(form)
  form.requestSubmit(submitter)
})

/** Whether the service answers, and not only a proxy in front of it. */
async function isReached() {
  try {
    return (await fetch('/v1/health/live', { cache: 'no-store' })).status < 500
  } catch {
    return false
  }
}
