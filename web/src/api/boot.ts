import type { Locale } from '@moorage/languages'

/** What the service wrote into the page: the first paint needs no further answer. */
export type Boot = {
  readonly shop: string
  readonly locale: Locale
  readonly currency: string
  readonly logoUrl: string | null
  readonly legalFooter: string | null
  /** Whether payments were simulated when the page was made. */
  readonly testMode: boolean
  readonly userId: string
  readonly accessToken: string
  /** How long the access token counts, in seconds from the moment of the page. */
  readonly expiresIn: number
  /** What the screen reads first, as far as it was not refused. */
  readonly answers: { readonly [name: string]: unknown; readonly service?: { readonly id: string } }
}

const element = document.querySelector<HTMLScriptElement>('#boot')

export const boot: Boot = JSON.parse(element?.textContent ?? '{}')
/** Style elements that are added later carry it; the policy of the page allows no others. */
export const nonce: string = element?.nonce ?? ''

// Read once: nothing in the page needs to keep the token.
element?.remove()
