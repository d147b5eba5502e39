/** First path segments of pages and files. They are reserved, so they cannot be slugs of categories. */
const PAGE_SEGMENTS: ReadonlySet<string> = new Set([
  ...['account', 'admin', 'affiliation', 'app', 'assets', 'billing', 'cart', 'checkout', 'compare'],
  ...['country', 'docs', 'forgot', 'health', 'help', 'home', 'i', 'invitations', 'invite-friends'],
  ...['invoices', 'legal', 'news', 'notifications', 'offer', 'offers', 'orders', 'p', 'pay'],
  ...['payment', 'privacy', 'r', 'register', 'reset', 'reset-password', 'servers', 'services'],
  ...['setup', 'sign-in', 'sign-out', 'status', 'terms', 'tickets', 'v1', 'verify', 'verify-email'],
  ...['vouchers', 'withdraw'],
])

/** Whether a first path segment is reserved. */
export function isPageSegment(slug: string): boolean {
  return PAGE_SEGMENTS.has(slug)
}

/** All reserved segments, for queries. */
export function pageSegments(): string[] {
  return [...PAGE_SEGMENTS]
}
