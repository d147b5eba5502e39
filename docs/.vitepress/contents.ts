/** A part of the documentation: its title, and its pages by file name without `.md`, in reading order. */
export type Part = { readonly title: string; readonly pages: readonly string[] }

/** The table of contents. A page keeps its address when it moves to another part. */
export const contents: readonly Part[] = [
  { title: 'Start', pages: ['README', 'demo', 'first-shop', 'concepts'] },
  {
    title: 'Sell',
    pages: [
      ...['catalogue', 'tax', 'gateways', 'stripe', 'mollie', 'paypal', 'bank-transfer'],
      ...['documents', 'reports', 'vouchers', 'affiliation'],
    ],
  },
  { title: 'Deliver', pages: ['pterodactyl', 'pelican', 'daemon', 'drift'] },
  {
    title: 'Customers',
    pages: [
      ...[
        'accounts',
        'renewals',
        'withdrawal',
        'privacy',
        'notifications',
        'mail',
        'support',
        'help',
        'incidents',
        'bot',
      ],
    ],
  },
  { title: 'API', pages: ['api', 'errors', 'permissions', 'webhooks', 'oidc', 'front-end'] },
  { title: 'Migrate', pages: ['whmcs', 'importing'] },
  {
    title: 'Operate',
    pages: [
      ...['install', 'configuration', 'settings', 'reverse-proxy', 'containers', 'postgresql'],
      ...['backup', 'upgrade', 'observability', 'scale', 'tenants', 'troubleshooting', 'faq'],
    ],
  },
  { title: 'Law', pages: ['law'] },
  {
    title: 'Internals',
    pages: ['billing-rules', 'hardening', 'security', 'performance', 'decisions/README'],
  },
]
