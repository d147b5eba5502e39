// The script of the pages on which one thing is done: copying, and the page that moves by itself.
// Without it every page works.
const QUICK_MS = 1000
const SLOW_MS = 5000
/** After so long nobody sits and waits. */
const PATIENCE_MS = 120_000

const say = (text) => {
  const status = document.querySelector('#say')
  if (status) status.textContent = text
}

document.querySelector('#errors')?.focus()

// Browsers do not send the fragment. The token is first removed from the address.
const fromFragment = document.querySelector('[data-from-fragment]')
if (fromFragment && /^#[\w-]{20,}$/.test(location.hash)) {
  fromFragment.value = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
  fromFragment.form.requestSubmit()
}

// What was typed about the address and the VAT number is checked, and priced, before the form is sent.
const checked = document.querySelector('[data-check]')
const touched = new Set()
let checks = 0
checked?.addEventListener('change', async ({ target }) => {
  if (!['line1', 'postcode', 'city', 'country', 'vatNumber'].includes(target.name)) return
  touched.add(target.name)
  checks += 1
  const own = checks
  const form = new URLSearchParams(new FormData(checked))
  form.delete('password')
  form.set('touched', [...touched].join())
  try {
    const answer = await fetch(checked.dataset.check, { method: 'POST', body: form })
    if (!answer.ok || answer.redirected || own !== checks) return
    take(new DOMParser().parseFromString(await answer.text(), 'text/html'), target.name)
  } catch {
    // Without a connection, the form is checked when it is sent.
  }
})

// A coupon is applied or removed without leaving the page: what was typed stays, a password too.
checked?.addEventListener('submit', (event) => {
  const { submitter } = event
  if (!submitter?.hasAttribute('formaction')) return
  event.preventDefault()
  event.stopImmediatePropagation()
  void price(submitter)
})
checked?.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.target.name !== 'code') return
  event.preventDefault()
  event.target.parentElement.querySelector('button').click()
})

async function price(submitter) {
  const form = new URLSearchParams(new FormData(checked, submitter))
  form.delete('password')
  checks += 1
  try {
    const answer = await fetch(submitter.formAction, { method: 'POST', body: form })
    if (answer.redirected) return location.assign(answer.url)
    if (!answer.ok && answer.status !== 422) throw new Error('The service cannot answer now.')
    take(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    const promo = document.querySelector('#promo')
    const next = promo.querySelector('[aria-invalid]') ?? promo.querySelector('summary')
    next.focus()
  } catch {
    const away = document.querySelector('#away')
    away.hidden = false
    away.focus()
  }
}

/** Takes sums, buttons and notes of fields from a page; what was typed meanwhile stays. */
function take(page, name) {
  for (const old of document.querySelectorAll('[data-live]')) {
    const fresh = page.getElementById(old.id)
    if (fresh) old.replaceWith(fresh)
  }
  for (const it of touched) {
    const [old, fresh] = [document, page].map((where) => where.getElementById(it))
    if (!old || !fresh) continue
    old.nextElementSibling?.remove()
    if (fresh.nextElementSibling) old.after(fresh.nextElementSibling)
    for (const key of ['aria-invalid', 'aria-describedby']) {
      if (fresh.hasAttribute(key)) old.setAttribute(key, fresh.getAttribute(key))
      else old.removeAttribute(key)
    }
  }
  const note = document.getElementById(name)?.nextElementSibling
  const total = document.querySelector('#paybar .bar-total')
  say([note?.textContent, total?.textContent].filter(Boolean).join(' '))
}

document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest('[data-copy]') : null
  if (!button) return
  await navigator.clipboard.writeText(button.dataset.copy)
  button.classList.add('ok')
  say(button.dataset.done)
})

/** Shows, while there is none, that the page tries to get a connection. */
const connected = (isConnected) => {
  const lost = document.querySelector('#lost')
  if (!lost || lost.hidden === isConnected) return
  lost.hidden = isConnected
  say(isConnected ? '' : lost.textContent)
}

const begunMs = performance.now()
let shown = document.querySelector('[data-poll]')
if (shown) {
  setTimeout(look, QUICK_MS)
  setInterval(count, QUICK_MS)
}

/** Counts how long the current step has taken, from what the page said when it came. */
function count() {
  for (const it of shown?.querySelectorAll('[data-ms]') ?? []) {
    it.dataset.began ??= performance.now() - Number(it.dataset.ms)
    const seconds = Math.floor((performance.now() - it.dataset.began) / 1000)
    const rest = String(seconds % 60).padStart(2, '0')
    it.textContent = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${rest} s`
  }
}

/** Reads the page again and puts its new state in the place of the old one, until nothing more comes. */
async function look() {
  try {
    if (!document.hidden) await renew()
    connected(true)
  } catch {
    // The next look may have a connection.
    connected(false)
  }
  if (!shown) return
  setTimeout(look, performance.now() - begunMs > PATIENCE_MS ? SLOW_MS : QUICK_MS)
}

async function renew() {
  const answer = await fetch(shown.dataset.poll)
  if (answer.status >= 500) throw new Error('The service cannot answer now.')
  if (answer.redirected && new URL(answer.url).pathname !== location.pathname) {
    location.replace(answer.url)
    return
  }
  if (!answer.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const next = page.querySelector('[data-step]')
  if (!next || (next.dataset.step === shown.dataset.step && next.dataset.poll)) return
  say(next.dataset.say)
  document.title = page.title
  shown.replaceWith(next)
  shown = next.dataset.poll ? next : null
}
