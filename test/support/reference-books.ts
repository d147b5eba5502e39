/**
 * What the rulebook says happens to a customer's money, as plain arithmetic on whole cents: nothing of
 * the service is used here, so that both can only agree by being right. One customer, one monthly
 * service, 20 % of tax on top of every price.
 */

/** An invoice as R3.1 counts it. */
export type ReferenceInvoice = {
  readonly net: number
  readonly tax: number
  readonly total: number
  credited: number
  creditedTax: number
  paid: number
  refunded: number
  reversed: number
  numbered: boolean
  status: 'open' | 'paid' | 'void'
  /** How often it came to be paid. */
  settled: number
}

/** Money that came in for one invoice. */
export type ReferencePayment = {
  readonly invoice: ReferenceInvoice
  readonly received: number
  readonly applied: number
  refunded: number
  dispute: 'none' | 'open' | 'won' | 'lost'
}

/** What an invoice charged for the time from `start` to `end`, less what it credited for that time. */
type ReferencePart = { readonly start: number; readonly end: number; readonly net: number }

/** A change to a dearer price, as it was priced: one part for each period that was paid then. */
export type ReferenceChange = {
  readonly price: number
  readonly net: number
  readonly parts: ReadonlyMap<ReferencePeriod, ReferencePart>
}

export type ReferencePeriod = {
  readonly start: number
  readonly end: number
  readonly invoice: ReferenceInvoice
  /** When its money is due. */
  due: number
  paid: boolean
  givenUp: boolean
}

const RATE = 20
const LEAD_MS = 7 * 86_400_000

/** Halves away from zero, by way of the quotient and the rest. */
export function rounded(numerator: number, denominator: number): number {
  const whole = Math.floor(Math.abs(numerator) / denominator)
  const rest = Math.abs(numerator) - whole * denominator
  return Math.sign(numerator) * (rest * 2 >= denominator ? whole + 1 : whole)
}

/** So many months after an instant, on its day or the month's last. */
export function monthsAfter(anchor: number, months: number): number {
  const date = new Date(anchor)
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const time = anchor % 86_400_000
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + time
}

/** The accounts of R5.2, debits positive: those of one customer and those everybody shares. */
export const ACCOUNTS = [
  ...(['receivable', 'credit', 'cash', 'revenue', 'tax', 'fees', 'disputed', 'badDebt'] as const),
]
export type ReferenceAccount = (typeof ACCOUNTS)[number]

export class ReferenceBooks {
  readonly balances = new Map<ReferenceAccount, number>(ACCOUNTS.map((it) => [it, 0]))
  readonly invoices: ReferenceInvoice[] = []
  readonly payments: ReferencePayment[] = []
  readonly periods: ReferencePeriod[] = []
  /** The invoices of changes that were paid and made. */
  readonly changes: ReferenceInvoice[] = []
  /** What those changes charged for each period. */
  readonly #made: { invoice: ReferenceInvoice | undefined; change: ReferenceChange }[] = []
  /** What the service costs a month, and what was paid for the running one. */
  price = 0
  suspended = false
  #anchor = 0

  #move(amount: number, from: ReferenceAccount, to: ReferenceAccount): void {
    this.balances.set(to, (this.balances.get(to) ?? 0) + amount)
    this.balances.set(from, (this.balances.get(from) ?? 0) - amount)
  }

  #issue(invoice: ReferenceInvoice): void {
    if (invoice.numbered) return
    invoice.numbered = true
    this.#move(invoice.net, 'revenue', 'receivable')
    this.#move(invoice.tax, 'tax', 'receivable')
  }

  /** Opens an invoice over a net amount; one of a renewal is issued at once, others when paid. */
  open(net: number, { issued }: { issued: boolean }): ReferenceInvoice {
    const tax = rounded(net * RATE, 100)
    const invoice: ReferenceInvoice = {
      ...{ net, tax, total: net + tax, credited: 0, creditedTax: 0, paid: 0, refunded: 0 },
      ...{ reversed: 0, numbered: false, status: 'open', settled: 0 },
    }
    this.invoices.push(invoice)
    if (issued) this.#issue(invoice)
    return invoice
  }

  due({ total, credited, paid, refunded, reversed, status }: ReferenceInvoice): number {
    if (status === 'void') return 0
    return Math.max(0, total - credited - (paid - refunded - reversed))
  }

  pay(invoice: ReferenceInvoice, received: number, fee: number): ReferencePayment {
    const applied = invoice.status === 'open' ? Math.min(received, this.due(invoice)) : 0
    if (invoice.status === 'open') this.#issue(invoice)
    this.#move(applied, 'receivable', 'cash')
    this.#move(received - applied, 'credit', 'cash')
    this.#move(fee, 'cash', 'fees')
    invoice.paid += applied
    this.#settleIfDone(invoice)
    const payment: ReferencePayment = { invoice, received, applied, refunded: 0, dispute: 'none' }
    this.payments.push(payment)
    return payment
  }

  #settleIfDone(invoice: ReferenceInvoice): void {
    if (invoice.status !== 'open' || this.due(invoice) > 0) return
    invoice.status = 'paid'
    invoice.settled += 1
  }

  /** Takes an amount off an invoice by a credit note, tax by what was credited before (R3.6). */
  #credit(invoice: ReferenceInvoice, amount: number): void {
    const { tax, total } = invoice
    const taxBefore = invoice.creditedTax
    invoice.credited += amount
    invoice.creditedTax = rounded(tax * invoice.credited, total)
    const taxPart = invoice.creditedTax - taxBefore
    this.#move(amount - taxPart, 'receivable', 'revenue')
    this.#move(taxPart, 'receivable', 'tax')
  }

  #paymentsOf(invoice: ReferenceInvoice): ReferencePayment[] {
    return this.payments.filter((it) => it.invoice === invoice && it.applied > 0)
  }

  /** What may go back: money received that is neither given back, taken back, nor disputed (R3.7). */
  refundable(invoice: ReferenceInvoice): number {
    const disputed = this.#paymentsOf(invoice)
      .filter(({ dispute }) => dispute === 'open')
      .reduce((sum, { applied }) => sum + applied, 0)
    return Math.max(0, invoice.paid - invoice.refunded - invoice.reversed - disputed)
  }

  mayRefund(invoice: ReferenceInvoice, amount: number): boolean {
    return invoice.status === 'paid' && amount > 0 && amount <= this.refundable(invoice)
  }

  refund(invoice: ReferenceInvoice, amount: number, to: 'payment' | 'credit'): void {
    this.#credit(invoice, amount)
    invoice.refunded += amount
    let left = amount
    if (to === 'payment') {
      for (const payment of this.#paymentsOf(invoice).reverse()) {
        const disputed = payment.dispute === 'open' || payment.dispute === 'lost'
        const free = payment.applied - payment.refunded - (disputed ? payment.received : 0)
        const part = Math.min(left, Math.max(0, free))
        payment.refunded += part
        left -= part
        this.#move(part, 'cash', 'receivable')
      }
    }
    this.#move(left, 'credit', 'receivable')
  }

  /** The bank takes the money of a payment back for now. */
  dispute(payment: ReferencePayment, fee: number): void {
    payment.dispute = 'open'
    this.#move(payment.received, 'cash', 'disputed')
    this.#move(fee, 'cash', 'fees')
  }

  win(payment: ReferencePayment): void {
    payment.dispute = 'won'
    this.#move(payment.received, 'disputed', 'cash')
  }

  /** For good: what the invoice still holds of it is due again, the rest is taken from credit or lost. */
  lose(payment: ReferencePayment, now: number): void {
    const { invoice, received } = payment
    payment.dispute = 'lost'
    const held = Math.max(0, invoice.paid - invoice.refunded - invoice.reversed)
    const back = Math.min(received, held)
    invoice.reversed += back
    this.#move(back, 'disputed', 'receivable')
    const credit = Math.min(received - back, -(this.balances.get('credit') ?? 0))
    this.#move(credit, 'disputed', 'credit')
    this.#move(received - back - credit, 'disputed', 'badDebt')
    if (invoice.status === 'paid' && this.due(invoice) > 0) {
      invoice.status = 'open'
      for (const period of this.#counted()) {
        if (period.invoice !== invoice || !period.paid) continue
        period.paid = false
        period.due = now
        this.suspended = true
      }
      if (this.changes.includes(invoice)) this.suspended = true
    }
  }

  /** The first invoice is paid: the first month begins. */
  begin(invoice: ReferenceInvoice, at: number, price: number): void {
    this.#anchor = at
    this.price = price
    const end = monthsAfter(at, 1)
    this.periods.push({ start: at, end, invoice, due: at, paid: true, givenUp: false })
  }

  #counted(): ReferencePeriod[] {
    return this.periods.filter((it) => !it.givenUp)
  }

  /** Invoices every month whose lead has begun. */
  renew(now: number): void {
    while (!this.suspended) {
      const start = this.#counted().at(-1)?.end
      if (start === undefined || start - LEAD_MS > now) return
      const end = monthsAfter(this.#anchor, this.#counted().length + 1)
      const invoice = this.open(this.price, { issued: true })
      const due = Math.max(start, now)
      this.periods.push({ start, end, invoice, due, paid: false, givenUp: false })
    }
  }

  /** What is paid is paid for the months it was for; with nothing overdue the service is back (R4.7). */
  settlePeriods(invoice: ReferenceInvoice, now: number): void {
    const its = this.#counted().filter((period) => period.invoice === invoice)
    for (const period of its) period.paid = true
    const isItsOwn = its.length > 0 || this.changes.includes(invoice)
    const overdue = this.#counted().some(({ paid, due }) => !paid && due <= now)
    // A change was paid once, so one whose invoice is open was taken back.
    const takenBack = this.changes.some(({ status }) => status === 'open')
    if (isItsOwn && !overdue && !takenBack) this.suspended = false
  }

  /** Whether a service may change (R4.9): what has begun is paid for and runs, and it is not suspended. */
  mayUpgrade(now: number): boolean {
    const begun = this.#counted().filter(({ start }) => start <= now)
    const last = begun.at(-1)
    if (this.suspended || !last || last.end <= now) return false
    return begun.every(({ paid }) => paid)
  }

  /**
   * What a change to a dearer price costs (R4.9), net: the price for what is left of the running month,
   * less that month's worth and at most what is held of it once something was refunded; for each later
   * month that is paid, the price less what was paid for it and not refunded.
   */
  upgradeOf(price: number, now: number): ReferenceChange {
    const parts = new Map<ReferencePeriod, ReferencePart>()
    const running = this.#counted().findLast(({ start }) => start <= now)
    if (running) {
      const { start, end } = running
      const [whole, left] = [seconds(start, end), seconds(now, end)]
      const share = (of: number) => rounded(of * left, whole)
      const net = share(price) - Math.min(share(this.price), this.#heldOf(running, now))
      parts.set(running, { start: now, end, net })
    }
    for (const period of this.#counted()) {
      if (period.start <= now || !period.paid) continue
      const { start, end } = period
      const kept = this.#paidFor(period).reduce((sum, { net, refunded }) => sum + net - refunded, 0)
      parts.set(period, { start, end, net: price - Math.max(0, kept) })
    }
    const net = [...parts.values()].reduce((sum, part) => sum + part.net, 0)
    return { price, net, parts }
  }

  /** What is held of a month at an instant; no limit while nothing of it was refunded (R4.9). */
  #heldOf(period: ReferencePeriod, now: number): number {
    const paid = this.#paidFor(period)
    if (paid.every(({ refunded }) => refunded === 0)) return Number.POSITIVE_INFINITY
    // As one fraction of whole numbers, so that it is rounded once.
    let [top, bottom] = [0n, 1n]
    for (const { start, end, net, refunded } of paid) {
      const whole = BigInt(seconds(start, end))
      if (whole === 0n) continue
      const unused = BigInt(seconds(Math.max(start, now), end))
      top = top * whole + BigInt(net - refunded) * unused * bottom
      bottom *= whole
    }
    if (top <= 0n) return 0
    return Number(top / bottom) + ((top % bottom) * 2n >= bottom ? 1 : 0)
  }

  /** What was paid for a month, by its own invoice and by those of changes, and refunded of that. */
  #paidFor(period: ReferencePeriod): (ReferencePart & { refunded: number })[] {
    const { start, end, invoice } = period
    const own = { start, end, net: invoice.net, refunded: refundedNet(invoice) }
    const changed = this.#made.flatMap(({ invoice, change: { parts } }) => {
      const part = parts.get(period)
      if (!part) return []
      const index = [...parts.keys()].indexOf(period)
      const shares = spread(
        invoice ? refundedNet(invoice) : 0,
        [...parts.values()].map(({ net }) => Math.max(0, net)),
      )
      return [{ ...part, refunded: shares[index] ?? 0 }]
    })
    return [own, ...changed]
  }

  /**
   * The change is made: months to come that it was not priced for are given up, to be invoiced anew.
   * What was paid for them becomes credit, unless a bank holds it.
   */
  upgraded(change: ReferenceChange, now: number, invoice?: ReferenceInvoice): void {
    this.price = change.price
    if (invoice) this.changes.push(invoice)
    this.#made.push({ invoice, change })
    for (const period of this.#counted().reverse()) {
      if (period.start <= now) return
      if (period.paid && change.parts.has(period)) continue
      const { invoice } = period
      const held = invoice.paid - invoice.refunded - invoice.reversed
      // What a bank holds stays paid for the month it was paid for.
      if (period.paid && held > this.refundable(invoice)) return
      period.givenUp = true
      if (invoice.status === 'paid' && held > 0) this.refund(invoice, held, 'credit')
      if (invoice.status !== 'open') continue
      this.#credit(invoice, invoice.total - invoice.credited)
      invoice.status = 'void'
      if (held > 0) {
        invoice.refunded += held
        this.#move(held, 'credit', 'receivable')
      }
    }
  }
}

function seconds(from: number, to: number): number {
  return Math.floor(to / 1000) - Math.floor(from / 1000)
}

/** How much of an invoice's net amount was refunded; nothing that a change gives back comes here. */
function refundedNet({ net, credited, total }: ReferenceInvoice): number {
  return total === 0 ? 0 : rounded(net * credited, total)
}

/** Splits whole cents by weights: what is left over goes to the largest rests, the first one on a tie. */
function spread(amount: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0)
  if (sum === 0) return weights.map(() => 0)
  const shares = weights.map((weight) => Math.floor((amount * weight) / sum))
  const rest = (index: number) => (amount * (weights[index] ?? 0)) % sum
  const order = [...weights.keys()].sort((a, b) => rest(b) - rest(a) || a - b)
  const missing = amount - shares.reduce((a, b) => a + b, 0)
  for (const index of order.slice(0, missing)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}
