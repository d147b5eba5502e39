import { logoUrlOf, type ShownBrand } from '#tenants'

type Shown = { brand: ShownBrand; origin: string }

/** A header line is one line: what people typed must not start a header of its own. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').slice(0, 200)
}

/**
 * A mail in a tenant's brand: its text, and the same as a page with the tenant's name, logo and
 * colours. Text is text in both: nothing of it is read as HTML. `origin` is the tenant's address,
 * without a slash at its end; `below` stands after the legal footer.
 */
export function branded(
  { subject, body, below = '' }: { subject: string; body: string; below?: string },
  { brand, origin }: Shown,
): { text: string; html: string } {
  const text = withAddress(body, origin)
  const footer = [brand.legalFooter?.trim() ?? '', below].filter((it) => it !== '').join('\n\n')
  return {
    text: footer === '' ? text : `${text}\n\n-- \n${footer}`,
    html: pageOf({ subject, text, footer }, { brand, origin }),
  }
}

/** A mail that leads into the panel ends with a path: it needs the shop's address before it. */
function withAddress(body: string, origin: string): string {
  return body.replace(/\n\n(\/[^\s/][^\s]*)$/, (_, path: string) => `\n\n${origin}${path}`)
}

const PLAIN = '#1f2933'

function pageOf(
  { subject, text, footer }: { subject: string; text: string; footer: string },
  { brand, origin }: Shown,
): string {
  const { name, primaryColor = PLAIN, accentColor = primaryColor } = brand
  const logoUrl = logoUrlOf(brand, origin)
  const title = escaped(name)
  const logo = logoUrl ? `<img src="${escaped(logoUrl)}" alt="${title}" height="40">` : title
  const paragraphs = text
    .split(/\n{2,}/)
    .map((part) => `<p>${linked(part, accentColor)}</p>`)
    .join('\n')
  const small = 'font-size:12px;color:#616e7c;border-top:1px solid #e4e7eb;padding-top:12px'
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font-family:sans-serif;color:${PLAIN}">
<div style="max-width:600px;margin:0 auto;border-top:4px solid ${escaped(primaryColor)}">
<p style="font-size:18px;font-weight:bold">${logo}</p>
${paragraphs}
${footer === '' ? '' : `<p style="${small}">${linked(footer, accentColor)}</p>`}
</div>
</body>
</html>
`
}

/** Text with its web addresses as links. */
function linked(text: string, color: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => {
      if (index % 2 === 0) return lines(part)
      const address = escaped(part)
      return `<a href="${address}" style="color:${escaped(color)}">${address}</a>`
    })
    .join('')
}

function lines(text: string): string {
  return escaped(text).replaceAll('\n', '<br>\n')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it stands in a page. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}
