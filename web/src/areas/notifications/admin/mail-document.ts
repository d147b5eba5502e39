type Look = { readonly scheme: 'light' | 'dark'; readonly nonce: string }

const STYLE = / style="([^"]*)"/g
const LINK = / href="[^"]*"/g

/**
 * The HTML of a mail as the document of a frame in this page. A frame without an address of its own has the policy of
 * the page, which allows no style attributes: their rules stand in the style element of the mail, which gets the nonce.
 * Links lead nowhere, and the colour scheme is the chosen one.
 */
export function mailDocument(html: string, { scheme, nonce }: Look): string {
  const rules = new Map<string, number>()
  const page = html
    .replace(LINK, '')
    .replace(STYLE, (_, rule: string) => {
      const number = rules.get(rule) ?? rules.size
      rules.set(rule, number)
      return ` data-style="${number}"`
    })
    .replaceAll('(prefers-color-scheme:dark)', scheme === 'dark' ? 'all' : 'not all')
    .replaceAll('color-scheme:light dark', `color-scheme:${scheme}`)
    .replaceAll('content="light dark"', `content="${scheme}"`)
  const moved = [...rules].map(([rule, number]) => `[data-style="${number}"]{${rule}}`).join('\n')
  return page.replace(/<style>/, () => `<style nonce="${nonce}">${moved}\n`)
}
