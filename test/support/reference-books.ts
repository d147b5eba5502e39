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

  /** What a change to a dearer price costs for what is left of the running month (R4.9), net. */
  upgradeCost(price: number, now: number): number {
    let [start, end] = [0, 0]
    let later = 0
    for (const period of this.#counted()) {
      if (period.start <= now) [start, end] = [period.start, period.end]
      else if (period.paid) later += 1
    }
    const seconds = (from: number, to: number) => Math.floor(to / 1000) - Math.floor(from / 1000)
    const [whole, left] = [seconds(start, end), seconds(now, end)]
    const share = (of: number) => rounded(of * left, whole) + of * later
    return share(price) - share(this.price)
  }

  /** The change is made: months to come that nobody has paid are given up, to be invoiced anew. */
  upgraded(price: number, now: number, invoice?: ReferenceInvoice): void {
    this.price = price
    if (invoice) this.changes.push(invoice)
    for (const period of this.#counted().reverse()) {
      if (period.paid || period.start <= now) return
      period.givenUp = true
      const { invoice } = period
      const held = invoice.paid - invoice.refunded - invoice.reversed
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
