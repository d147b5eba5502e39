// The script of the shop window: colours, the total of what is chosen, quantities. Without it every page works.
document.getElementById('scheme')?.addEventListener('click', () => {
  const root = document.documentElement
  const to = root.getAttribute('data-mantine-color-scheme') === 'dark' ? 'light' : 'dark'
  root.setAttribute('data-mantine-color-scheme', to)
  try {
    localStorage.setItem('scheme', to)
  } catch {
    // A browser that keeps nothing shows the colours until the page is left.
  }
})

// The languages and the menu lie over the page: a click beside them and Escape close them.
for (const list of document.querySelectorAll('.langs.over, .burger')) {
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !list.contains(target)) list.removeAttribute('open')
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !list.hasAttribute('open')) return
    list.removeAttribute('open')
    list.querySelector('summary')?.focus()
  })
}

document.querySelector('#errors')?.focus()

// What a quantity adds today: each unit at the price of its tier, or all at that of the whole quantity.
function tiersToday(field, planId) {
  const { mode, plans } = JSON.parse(field.dataset.tiers)
  const quantity = Number(field.value)
  const steps = quantity > 0 ? (plans[planId] ?? []) : []
  let before = 0
  const sum = [0, 0]
  for (const { upTo, due, fee } of steps) {
    const end = Math.min(quantity, upTo ?? quantity)
    const isIn = quantity > before && quantity <= (upTo ?? quantity)
    const units = mode === 'volume' ? (isIn ? quantity : 0) : Math.max(0, end - before)
    for (const at of [0, 1]) sum[at] += units * due[at] + (isIn ? fee[at] : 0)
    before = upTo ?? quantity
  }
  return sum
}

// A slider and its number say the same.
for (const slider of document.querySelectorAll('[data-slider]')) {
  const number = slider.parentElement.querySelector('[data-tiers]')
  slider.hidden = false
  slider.value = number.value
  slider.addEventListener('input', () => {
    number.value = slider.value
  })
  number.addEventListener('input', () => {
    slider.value = number.value
  })
}

// What the options that are chosen add to the server: a value what it says, a quantity as often as it is.
function added(form, name) {
  const chosen = form.querySelectorAll('[data-adds]:checked, [data-tiers][data-adds]')
  return [...chosen].reduce((sum, it) => {
    const units = it.type === 'number' ? Math.max(0, Number(it.value)) : 1
    return sum + (JSON.parse(it.dataset.adds)[name] ?? 0) * units
  }, 0)
}

// The sizes follow what is chosen.
const config = document.querySelector('form[data-sum]')
for (const size of config?.querySelectorAll('[data-size]') ?? []) {
  const { size: name, own, per, unit, labels } = size.dataset
  const number = new Intl.NumberFormat(config.dataset.tag, { maximumFractionDigits: 1 })
  const plural = new Intl.PluralRules(config.dataset.tag)
  const show = () => {
    const all = Number(own) + added(config, name)
    const shown = all / Number(per)
    const [value, label] = size.children
    value.textContent = number.format(shown) + (unit && ` ${unit}`)
    label.textContent = JSON.parse(labels)[plural.select(shown)]
    size.hidden = all <= 0
  }
  config.addEventListener('input', show)
  // A browser that comes back to the page fills in what was chosen before.
  show()
}

// What is chosen costs so much today. The server prices the cart again.
const order = document.querySelector('form[data-sum]')
order?.addEventListener('input', () => {
  const { rate, tag, currency } = order.dataset
  const plan = order.querySelector('[name=plan]:checked')
  const quantity = Number(order.querySelector('[name=quantity]').value)
  if (!plan || !Number.isInteger(quantity) || quantity < 1) return
  const { one, each } = plan.dataset
  const extras = [...order.querySelectorAll('[data-extra]:checked')].map(
    (it) => JSON.parse(it.dataset.extra)[plan.value] ?? [0, 0],
  )
  for (const field of order.querySelectorAll('[data-tiers]')) {
    extras.push(tiersToday(field, plan.value))
  }
  const [extraOne, extraEach] = [0, 1].map((it) =>
    extras.reduce((sum, extra) => sum + extra[it], 0),
  )
  const total = quantity === 1 ? Number(one) + extraOne : (Number(each) + extraEach) * quantity
  const net = Math.round((total * 10_000) / (10_000 + Number(rate)))
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency })
  const decimals = format.resolvedOptions().maximumFractionDigits
  for (const it of order.querySelectorAll('[data-show]')) {
    const cents = { net, tax: total - net, total }[it.dataset.show]
    it.textContent = format.format(cents / 10 ** decimals)
  }
})

// A new quantity counts at once.
for (const form of document.querySelectorAll('form[data-auto]')) {
  form.addEventListener('change', () => form.requestSubmit())
}
