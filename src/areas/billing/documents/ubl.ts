import type {
  ElectronicInvoice,
  ElectronicLine,
  ElectronicParty,
  ElectronicTax,
} from './electronic.ts'
import type { Identifier } from './identity.ts'
import { branch, leaf, type Xml, xmlDocument } from './xml.ts'

const NAMESPACES = {
  'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
}
const EN_16931 = 'urn:cen.eu:en16931:2017'
const PEPPOL = `${EN_16931}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`
const PEPPOL_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'
/** "One", of UN/ECE recommendation 20. */
const UNIT = { unitCode: 'C62' }

/** An e-invoice in UBL 2.1, as Peppol BIS Billing 3.0 if both sides have an address there (R7.1). */
export function ublOf(invoice: ElectronicInvoice): string {
  const { isCreditNote, currency, profile, dueOn, transfer } = invoice
  const root = isCreditNote ? 'CreditNote' : 'Invoice'
  const amountIn = { currencyID: currency }
  return xmlDocument(
    root,
    { xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`, ...NAMESPACES },
    leaf('cbc:CustomizationID', profile === 'peppol' ? PEPPOL : EN_16931),
    leaf('cbc:ProfileID', profile === 'peppol' ? PEPPOL_PROCESS : invoice.process),
    leaf('cbc:ID', invoice.number),
    leaf('cbc:IssueDate', invoice.issuedOn),
    isCreditNote ? null : leaf('cbc:DueDate', dueOn),
    leaf(`cbc:${root}TypeCode`, isCreditNote ? '381' : '380'),
    // UBL has no place for a note's code: EN 16931 puts it before the text.
    invoice.notes.map(({ code, text }) => leaf('cbc:Note', code ? `#${code}#${text}` : text)),
    leaf('cbc:DocumentCurrencyCode', currency),
    leaf('cbc:BuyerReference', invoice.buyerReference),
    periodOf(invoice.supply),
    invoice.corrects &&
      branch(
        'cac:BillingReference',
        branch(
          'cac:InvoiceDocumentReference',
          leaf('cbc:ID', invoice.corrects.number),
          leaf('cbc:IssueDate', invoice.corrects.issuedOn),
        ),
      ),
    branch('cac:AccountingSupplierParty', partyOf(invoice.seller)),
    branch('cac:AccountingCustomerParty', partyOf(invoice.buyer)),
    branch('cac:Delivery', leaf('cbc:ActualDeliveryDate', invoice.suppliedOn)),
    transfer &&
      branch(
        'cac:PaymentMeans',
        leaf('cbc:PaymentMeansCode', transfer.code),
        leaf('cbc:PaymentID', transfer.reference),
        branch(
          'cac:PayeeFinancialAccount',
          leaf('cbc:ID', transfer.iban),
          leaf('cbc:Name', transfer.accountName),
          branch('cac:FinancialInstitutionBranch', leaf('cbc:ID', transfer.bic)),
        ),
      ),
    branch('cac:PaymentTerms', leaf('cbc:Note', invoice.terms)),
    branch(
      'cac:TaxTotal',
      leaf('cbc:TaxAmount', invoice.totals.tax, amountIn),
      invoice.taxes.map((tax) => taxOf(tax, amountIn)),
    ),
    totalsOf(invoice, amountIn),
    invoice.lines.map((line) => lineOf(line, { isCreditNote, amountIn })),
  )
}

type Currency = { readonly currencyID: string }

function partyOf({ party, ownId, legalId, vatId, taxId, address }: ElectronicParty): Xml | null {
  return branch(
    'cac:Party',
    address && leaf('cbc:EndpointID', address.id, schemeOf(address)),
    branch('cac:PartyIdentification', leaf('cbc:ID', ownId)),
    branch(
      'cac:PostalAddress',
      leaf('cbc:StreetName', party.line1),
      leaf('cbc:AdditionalStreetName', party.line2),
      leaf('cbc:CityName', party.city),
      leaf('cbc:PostalZone', party.postcode),
      leaf('cbc:CountrySubentity', party.region),
      branch('cac:Country', leaf('cbc:IdentificationCode', party.country)),
    ),
    registration(vatId, 'VAT'),
    registration(taxId, 'FC'),
    branch(
      'cac:PartyLegalEntity',
      leaf('cbc:RegistrationName', party.name),
      legalId && leaf('cbc:CompanyID', legalId.id, schemeOf(legalId)),
    ),
  )
}

function periodOf(period: ElectronicLine['period']): Xml | null {
  if (period === null) return null
  return branch(
    'cac:InvoicePeriod',
    leaf('cbc:StartDate', period.from),
    leaf('cbc:EndDate', period.to),
  )
}

function registration(id: string | null, scheme: string): Xml | null {
  if (id === null) return null
  return branch(
    'cac:PartyTaxScheme',
    leaf('cbc:CompanyID', id),
    branch('cac:TaxScheme', leaf('cbc:ID', scheme)),
  )
}

function taxOf({ base, tax, category, rate, exemption }: ElectronicTax, amountIn: Currency) {
  return branch(
    'cac:TaxSubtotal',
    leaf('cbc:TaxableAmount', base, amountIn),
    leaf('cbc:TaxAmount', tax, amountIn),
    branch(
      'cac:TaxCategory',
      leaf('cbc:ID', category),
      leaf('cbc:Percent', rate),
      leaf('cbc:TaxExemptionReasonCode', exemption?.code ?? null),
      leaf('cbc:TaxExemptionReason', exemption?.text ?? null),
      branch('cac:TaxScheme', leaf('cbc:ID', 'VAT')),
    ),
  )
}

function totalsOf({ totals }: ElectronicInvoice, amountIn: Currency): Xml | null {
  return branch(
    'cac:LegalMonetaryTotal',
    leaf('cbc:LineExtensionAmount', totals.lines, amountIn),
    leaf('cbc:TaxExclusiveAmount', totals.net, amountIn),
    leaf('cbc:TaxInclusiveAmount', totals.total, amountIn),
    leaf('cbc:PrepaidAmount', totals.paid, amountIn),
    leaf('cbc:PayableAmount', totals.due, amountIn),
  )
}

function lineOf(
  line: ElectronicLine,
  { isCreditNote, amountIn }: { isCreditNote: boolean; amountIn: Currency },
): Xml | null {
  return branch(
    isCreditNote ? 'cac:CreditNoteLine' : 'cac:InvoiceLine',
    leaf('cbc:ID', line.id),
    leaf(isCreditNote ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', line.quantity, UNIT),
    leaf('cbc:LineExtensionAmount', line.net, amountIn),
    periodOf(line.period),
    line.allowance &&
      branch(
        'cac:AllowanceCharge',
        leaf('cbc:ChargeIndicator', 'false'),
        leaf('cbc:AllowanceChargeReasonCode', '95'),
        leaf('cbc:AllowanceChargeReason', line.allowance.reason),
        leaf('cbc:Amount', line.allowance.amount, amountIn),
      ),
    branch(
      'cac:Item',
      leaf('cbc:Name', line.name),
      branch(
        'cac:ClassifiedTaxCategory',
        leaf('cbc:ID', line.category),
        leaf('cbc:Percent', line.rate),
        branch('cac:TaxScheme', leaf('cbc:ID', 'VAT')),
      ),
    ),
    branch(
      'cac:Price',
      leaf('cbc:PriceAmount', line.price, amountIn),
      leaf('cbc:BaseQuantity', line.baseQuantity, UNIT),
    ),
  )
}

function schemeOf({ scheme }: Identifier): Record<string, string> {
  return scheme === null ? {} : { schemeID: scheme }
}
