import type { PageLook } from './document.ts'
import { type Html, html } from './html.ts'

/** A link to the shop: its logo, else its sign, and its name; the logo is `size` pixels high. */
export function shopLink(look: PageLook, size: number): Html {
  const { shop, logoUrl } = look
  const sign = logoUrl
    ? logoImages(look, { size, className: 'logo-image' })
    : initialSign(shop, { size, fill: 'var(--brand)', on: 'var(--on-brand)' })
  return html`<a class="logo" href="/">${sign}${shop}</a>`
}

/** The logo of a shop, with the one of the dark scheme if there are two. */
export function logoImages(
  { logoUrl, darkLogoUrl }: Pick<PageLook, 'logoUrl' | 'darkLogoUrl'>,
  { size, className }: { size: number; className: string },
): Html {
  const image = (url: string | null, scheme: string) =>
    html`<img class="${`${className} ${scheme}`.trim()}" src="${url ?? ''}" alt="" height="${size}">`
  const dark = darkLogoUrl ? image(darkLogoUrl, 'dark-logo') : null
  return html`${image(logoUrl, 'light-logo')}${dark}`
}

/** The sign of a shop that has no logo: the first letter of its name in its colour. */
export function initialSign(
  shop: string,
  { size, fill, on }: { size: number; fill: string; on: string },
): Html {
  const letter = ([...shop][0] ?? 'M').toUpperCase()
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="9" fill="${fill}"/><text x="16" y="22" text-anchor="middle" font-family="sans-serif" font-size="17" font-weight="700" fill="${on}">${letter}</text></svg>`
}
