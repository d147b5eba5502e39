import type { Area } from '#platform/area.ts'
import {
  checkAttemptJob,
  endAttemptsOfPaid,
  endAttemptsOfVoid,
  sweepAttempts,
} from './attempts/check.ts'
import { paymentRoutes } from './attempts/routes.ts'
import { forgetPayers, matchEntriesJob } from './bank-statements/jobs.ts'
import { bankStatementRoutes } from './bank-statements/routes.ts'
import { faults } from './checks/faults.ts'
import { adminCreditNoteRoutes } from './credit-notes/admin-routes.ts'
import { creditNoteRoutes } from './credit-notes/routes.ts'
import { adminCreditRoutes } from './credits/admin-routes.ts'
import { customerMoneyRoutes } from './credits/customer-routes.ts'
import { creditRoutes } from './credits/routes.ts'
import { disputeRoutes } from './disputes/routes.ts'
import { dropDocumentOfVoid, makeDocumentJob } from './documents/jobs.ts'
import { documentLinkRoutes } from './documents/link-routes.ts'
import { adminDocumentRoutes, documentRoutes } from './documents/routes.ts'
import { assertSettled, erase } from './erasure/actions.ts'
import { forgetCustomerJob } from './erasure/jobs.ts'
import { personalData } from './exports/personal-data.ts'
import { exportRoutes } from './exports/routes.ts'
import { sealedGatewaySecrets } from './gateways/connection.ts'
import { gatewayOffers } from './gateways/offers.ts'
import { simulatesPayments } from './gateways/queries.ts'
import { gatewayRoutes } from './gateways/routes.ts'
import { registerWebhookJob } from './gateways/webhook-registration.ts'
import { adminImportedRoutes } from './imported/admin-routes.ts'
import { pollChanges, readChangesJob, readEventJob } from './inbox/jobs.ts'
import { forgetOldEvents } from './inbox/retention.ts'
import { webhookRoutes } from './inbox/routes.ts'
import { installationIdOf } from './installation.ts'
import { adminInvoiceRoutes } from './invoices/admin-routes.ts'
import { bulkInvoiceRoutes } from './invoices/bulk.ts'
import { draftRoutes } from './invoices/draft-routes.ts'
import { findUnpaid, voidUnpaidJob } from './invoices/jobs.ts'
import { invoiceRoutes } from './invoices/routes.ts'
import { measures } from './measures.ts'
import { detachMethodJob, setDefaultMethodJob } from './methods/jobs.ts'
import { methodRoutes } from './methods/routes.ts'
import { objectsAmong } from './named.ts'
import {
  tellOfAttention,
  tellOfCredit,
  tellOfFailedPayment,
  tellOfPaidInvoice,
  tellOfRefund,
} from './notices.ts'
import { paymentLinkRoutes } from './payment-links/routes.ts'
import { adminPaymentRoutes } from './payments/admin-routes.ts'
import { requoteManual } from './quotes/manual.ts'
import { compareBooksJob, compareDaily } from './reconciliation/jobs.ts'
import { breakRoutes } from './reconciliation/routes.ts'
import { checkRefundJob, findPendingRefunds } from './refunds/check.ts'
import { refundRoutes } from './refunds/routes.ts'
import { sendRefundJob } from './refunds/send.ts'
import { anonymizeDocuments, forgetDocumentsJob } from './retention/jobs.ts'
import { storePublicUrl } from './return-url.ts'
import { billingSettings } from './settings.ts'
import { objectTimeline, timeline } from './timeline.ts'

export { HOUSE_REASONS, type LineTexts, type Reason } from '#notifications'
export {
  type HowToPay,
  type PreparedPayment,
  preparePayment,
  prepareTogether,
} from './attempts/prepare.ts'
export { type AttemptRow, findAttempt, listUnderWay } from './attempts/queries.ts'
export { paymentView } from './attempts/rules.ts'
export { HowToPay as HowToPayFields, PaymentSchema, type PaymentView } from './attempts/schema.ts'
export { startPayment } from './attempts/start.ts'
export { listNumberGaps, type NumberGap } from './checks/queries.ts'
export { addCredit, type CreditChange, removeCredit } from './credits/actions.ts'
export { hasOpenDispute } from './disputes/queries.ts'
export { sirenOf } from './documents/identity.ts'
export {
  adminAttention,
  creditAdded,
  creditNoteIssued,
  disputed,
  invoiceIssued,
  invoicePaid,
  invoiceVoided,
  paymentFailed,
  refundMade,
} from './events.ts'
export { gatewayDrivers, gatewayNames, listSeries, numbersOf } from './figures/documents.ts'
export {
  type BookedMoney,
  type IssuedDocument,
  type IssuedLine,
  type IssuedTax,
  listBookedPayments,
  listBookedRefunds,
  listIssuedCreditNoteLines,
  listIssuedCreditNotes,
  listIssuedFiles,
  listIssuedInvoices,
  listIssuedLines,
  listIssuedTaxes,
} from './figures/issued.ts'
export {
  type AgedDue,
  type AgedDueOfCustomer,
  listAgedDue,
  listAgedDueOfCustomers,
  listOwed,
} from './figures/receivables.ts'
export { listOssSales, listTaxes, type OssFigures } from './figures/tax.ts'
export { listDocumentParties, numbersBehind } from './figures/vouchers.ts'
export { listUsableGateways, simulatesPayments } from './gateways/queries.ts'
export {
  type GivenUp,
  importDocuments,
  importPayments,
  removeImportedDocuments,
  writeOffImported,
} from './imported/actions.ts'
export {
  fingerprintOfInvoice,
  type ImportedCredit,
  type ImportedInvoice,
  type ImportedLine,
  type ImportedPayment,
  type ImportedSum,
  owedOn,
  sumImportedDocuments,
  sumImportedPayments,
} from './imported/queries.ts'
export { creditImported } from './imported/refunds.ts'
export {
  lockImportedInvoices,
  restoreImportedInvoices,
  updateImportedInvoices,
} from './imported/updates.ts'
export {
  type NewInvoice,
  numberInvoice,
  openInvoice,
  proFormaEnd,
  voidInvoice,
  writeOffInvoice,
} from './invoices/actions.ts'
export { type NewIssued, openInvoices } from './invoices/batch.ts'
export type { DocumentLine, InvoiceDocument } from './invoices/document.ts'
export {
  findInvoice,
  findOwnInvoice,
  type InvoiceKey,
  type InvoiceLineRow,
  type InvoiceParts,
  type InvoiceRow,
  listInvoicesById,
  lockInvoice,
  partsOf,
  partsOfAll,
} from './invoices/queries.ts'
export { dueCents } from './invoices/rules.ts'
export {
  INVOICE_KINDS,
  INVOICE_STATUSES,
  InvoiceSchema,
  type InvoiceView,
} from './invoices/schema.ts'
export { invoiceView } from './invoices/view.ts'
export { findDefaultMethod, hasUsableMethod } from './methods/queries.ts'
export { applyPayment } from './payments/apply.ts'
export { applyCredit } from './payments/credit.ts'
export { recordPayment } from './payments/mark-paid.ts'
export {
  type CreditShare,
  creditShareOf,
  invoicesOfRefund,
  listFingerprints,
  listPaidSales,
  shareMeansOfPayment,
} from './payments/shares.ts'
export { lockExpired, replaceQuote } from './quotes/actions.ts'
export { beginPayment, preparedOf } from './quotes/begin.ts'
export { assertNoOpenPages } from './quotes/open-pages.ts'
export { closingPages } from './quotes/pages.ts'
export { creditInvoice, refundInvoice } from './refunds/actions.ts'
export { checkedReturnUrl } from './return-url.ts'
export { lineTextsFor, lineTextsIn, reasonForStaff } from './texts.ts'

export const billing: Area = {
  name: 'billing',
  objectsAmong,
  sealed: [sealedGatewaySecrets],
  routes: [
    invoiceRoutes,
    adminInvoiceRoutes,
    bulkInvoiceRoutes,
    draftRoutes,
    creditNoteRoutes,
    adminCreditNoteRoutes,
    adminPaymentRoutes,
    adminImportedRoutes,
    documentRoutes,
    adminDocumentRoutes,
    documentLinkRoutes,
    creditRoutes,
    adminCreditRoutes,
    customerMoneyRoutes,
    paymentRoutes,
    paymentLinkRoutes,
    methodRoutes,
    gatewayRoutes,
    disputeRoutes,
    refundRoutes,
    breakRoutes,
    bankStatementRoutes,
    exportRoutes,
    webhookRoutes,
  ],
  jobs: [
    checkAttemptJob,
    sweepAttempts,
    endAttemptsOfPaid,
    endAttemptsOfVoid,
    readEventJob,
    pollChanges,
    readChangesJob,
    forgetOldEvents,
    matchEntriesJob,
    forgetPayers,
    compareDaily,
    compareBooksJob,
    registerWebhookJob,
    sendRefundJob,
    checkRefundJob,
    findPendingRefunds,
    detachMethodJob,
    forgetCustomerJob,
    setDefaultMethodJob,
    makeDocumentJob,
    dropDocumentOfVoid,
    voidUnpaidJob,
    findUnpaid,
    anonymizeDocuments,
    forgetDocumentsJob,
    tellOfPaidInvoice,
    tellOfFailedPayment,
    tellOfRefund,
    tellOfCredit,
    tellOfAttention,
  ],
  permissions: [
    { key: 'invoices:read', description: 'See invoices, payments and refunds' },
    {
      key: 'invoices:write',
      description: 'Draft, issue, void, credit and refund invoices, book payments',
    },
    { key: 'gateways:read', description: 'See payment gateways and reconciliation differences' },
    { key: 'users:credit', description: 'Add credit to an account, and deduct it' },
    { key: 'gateways:write', description: 'Add, change and remove payment gateways' },
  ],
  settings: [billingSettings],
  measures,
  requote: { manual: requoteManual },
  personalData,
  async meta(db, tenantId, { config }) {
    const gateways = await gatewayOffers(db, tenantId, config)
    return { gateways, testMode: await simulatesPayments(db, tenantId) }
  },
  purposes: ['billing.documents', 'billing.transfers', 'billing.methods'],
  timeline,
  objectTimeline,
  timelineNeeds: ['invoices:read'],
  assertSettled,
  erase,
  faults,
  async prepare({ database, config }) {
    await installationIdOf(database)
    await storePublicUrl(database.everywhere, config.publicUrl)
  },
}
