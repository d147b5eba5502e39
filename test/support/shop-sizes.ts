/** The rows of a table for each person of a shop: ten invoices for two services. */
const FOR_EACH: readonly (readonly [tables: RegExp, rows: number])[] = [
  [/^audit\.pending$/, 0],
  [/^audit\./, 20],
  [/^billing\.(document_files|installation|invoice_series)$/, 0],
  [/^billing\.(invoice|payments|payment_a|dues|documents|attempt)/, 10],
  [/^billing\.provider_events$/, 5],
  [/^billing\.credit_note/, 0.5],
  [/^billing\.(refunds|bank_entries|imported_)/, 0.2],
  [/^billing\.(disputes|breaks|bank_statements)$/, 0.01],
  [/^ledger\.sales_days$/, 0],
  [/^ledger\.postings$/, 50],
  [/^ledger\.transactions$/, 20],
  [/^ledger\./, 2],
  [/^services\.counts$/, 0],
  [/^services\.search_terms$/, 20],
  [/^services\.(tasks|deliver|provisioning|handover|notes|invitations)/, 0.1],
  [/^services\./, 2],
  [/^orders\./, 2],
  [/^jobs\./, 10],
  [/^(notifications\.(mails|notifications)|webhooks\.)/, 10],
  [/^users\.search_terms$/, 5],
  [/^users\.(sessions|refresh_tokens)$/, 3],
  [/^support\.messages$/, 4],
  [/^support\.participants$/, 2],
  [/^affiliation\.(referrals|commissions)$/, 0.3],
  [/^affiliation\.affiliates$/, 0.02],
  [/^oidc\./, 0.5],
  [/^store\.(buyers|carts|cart_items)$/, 0.5],
  // What the host writes and sets up does not grow with its customers.
  [/^(store|knowledge|incidents|panel|rbac|imports|tenants|affiliation)\./, 0.001],
  [/^notifications\.(announcements|mail_templates)$/, 0.001],
]

/** How many rows of a table a shop of so many people has; one each where nothing else is said. */
export function sizesFor(people: number): (table: string) => number {
  return (table) => {
    const [, rows = 1] = FOR_EACH.find(([tables]) => tables.test(table)) ?? []
    return Math.round(rows * people)
  }
}
