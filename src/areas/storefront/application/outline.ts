import { type Html, html } from '#platform/pages/html.ts'
import { logoImages } from '#platform/pages/logo.ts'
import type { Visit } from '../visit.ts'

const bars = (count: number, name: string) =>
  Array.from({ length: count }, () => html`<div class="skel ${name}"></div>`)

/**
 * The outline of a screen, with the boxes of the frame (`web/src/app/frame.tsx`): it is painted before any script is
 * loaded, and the application replaces it as a whole. Its only name is that of the shop, so it needs no texts.
 */
export function outline({ look, testMode, texts }: Visit): Html {
  const brand = html`<span class="brand">${
    look.logoUrl
      ? logoImages(look, { size: 26, className: '' })
      : html`<span aria-hidden="true" class="sign">${[...look.shop][0]?.toUpperCase() ?? ''}</span>`
  }<span class="cut">${look.shop}</span></span>`
  const { title, text } = texts.testMode
  return html`<div class="outline"><div class="shell">
<div class="side">${brand}<div class="jump"></div><div class="nav">${bars(10, 'bar')}</div></div>
<div class="panel">${
    testMode
      ? html`<div class="banner"><span class="grow"><strong>${title}</strong> ${text}</span></div>`
      : null
  }<div class="topbar"><div class="sm-only">${brand}</div><div class="skel bar short sm-gone"></div><div class="row push"><div class="sm-only"><div class="me compact"><div class="skel disc"></div></div></div></div></div>
<main class="grow"><div class="page"><div class="page-head"><div class="stack s8"><div class="skel head"></div><div class="skel line"></div></div></div><div class="stack s24"><div class="skel block"></div><div class="skel block tall"></div></div></div></main></div>
<div class="tabbar">${bars(4, 'bar')}</div>
</div></div>`
}
