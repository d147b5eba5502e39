/** The pictures of a brand that can be uploaded, by the end of their path: their column, and what texts call them. */
export const PICTURES = {
  logo: {
    column: 'logoSha256',
    name: 'Logo',
    called: 'the logo',
    use: 'For documents, mails and pages. Replaces `brand.logoUrl`. Existing documents keep their logo.',
  },
  'dark-logo': {
    column: 'darkLogoSha256',
    name: 'Dark logo',
    called: 'the logo for dark surroundings',
    use: 'Pages and mails in the dark scheme show it in place of the logo; documents never do.',
  },
  favicon: {
    column: 'faviconSha256',
    name: 'Favicon',
    called: 'the icon in browser tabs',
    use: 'Without one, tabs show the logo, else the first letter of the name.',
  },
} as const

export type BrandPicture = keyof typeof PICTURES

/** The kinds of pictures, for routes that exist once for each. */
export const PICTURE_KINDS = Object.keys(PICTURES) as BrandPicture[]
