/** First segments of the addresses of pages and files: a category of the shop may not be called so. */
const PAGE_SEGMENTS: ReadonlySet<string> = new Set([
  ...['account', 'admin', 'affiliation', 'app', 'assets', 'billing', 'cart', 'checkout', 'compare'],
  ...['country', 'docs', 'forgot', 'health', 'help', 'home', 'i', 'invitations', 'invite-friends'],
  ...['invoices', 'legal', 'news', 'notifications', 'offer', 'offers', 'orders', 'p', 'pay'],
  ...['payment', 'privacy', 'r', 'register', 'reset', 'reset-password', 'servers', 'services'],
  ...['setup', 'sign-in', 'sign-out', 'status', 'terms', 'tickets', 'v1', 'verify', 'verify-email'],
  ...['vouchers', 'withdraw'],
])

/** Whether a page of the product has this first segment in its address. */
export function isPageSegment(slug: string): boolean {
  return PAGE_SEGMENTS.has(slug)
}

/** Every such segment, for queries. */
export function pageSegments(): string[] {
  return [...PAGE_SEGMENTS]
}
