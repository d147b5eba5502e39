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

// What is chosen costs so much today. The server prices the cart again.
const order = document.querySelector('form[data-sum]')
order?.addEventListener('input', () => {
  const { rate, tag, currency } = order.dataset
  const plan = order.querySelector('[name=plan]:checked')
  const quantity = Number(order.querySelector('[name=quantity]').value)
  if (!plan || !Number.isInteger(quantity) || quantity < 1) return
  const total = quantity === 1 ? Number(plan.dataset.one) : plan.dataset.each * quantity
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
