import type { Locale } from '@moorage/languages'

/** What the service wrote into the page, so that the first paint needs no further request. */
export type Boot = {
  readonly shop: string
  readonly locale: Locale
  readonly currency: string
  readonly logoUrl: string | null
  /** The logo in the dark scheme; null if the logo is for both. */
  readonly darkLogoUrl: string | null
  readonly legalFooter: string | null
  readonly supportAddress: string | null
  /** Links of the shop in the footer. */
  readonly links: readonly { readonly label: string; readonly url: string }[]
  /** Whether payments were simulated when the page was made. */
  readonly testMode: boolean
  readonly userId: string
  readonly accessToken: string
  /** How long the access token is valid, in seconds from the time the page was created. */
  readonly expiresIn: number
  /** The responses that the screen reads first, without refused ones. */
  readonly answers: {
    readonly [name: string]: unknown
    readonly me?: { readonly timeZone: string | null }
    readonly service?: { readonly id: string }
  }
}

const element = document.querySelector<HTMLScriptElement>('#boot')

export const boot: Boot = JSON.parse(element?.textContent ?? '{}')
/** The nonce of style elements that are added later; the policy of the page allows no others. */
export const nonce: string = element?.nonce ?? ''

// Read once, and removed so that the token does not stay in the page.
element?.remove()
