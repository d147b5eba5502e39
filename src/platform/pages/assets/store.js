// The script of the shop window: light or dark colours. Without it every page works.
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

// The list of languages lies over the page: a click beside it and Escape close it.
const languages = document.querySelector('.langs.over')
document.addEventListener('click', ({ target }) => {
  if (target instanceof Node && !languages?.contains(target)) languages?.removeAttribute('open')
})
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !languages?.hasAttribute('open')) return
  languages.removeAttribute('open')
  languages.querySelector('summary')?.focus()
})
