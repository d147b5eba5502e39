import type { Day } from '#lib/time.ts'
import type {
  ElectronicInvoice,
  ElectronicLine,
  ElectronicParty,
  ElectronicTax,
} from './electronic.ts'
import { branch, leaf, type Xml, xmlDocument } from './xml.ts'

const NAMESPACES = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
}
const EN_16931 = 'urn:cen.eu:en16931:2017'
/** "One", of UN/ECE recommendation 20. */
const UNIT = { unitCode: 'C62' }

/** An e-invoice as a UN/CEFACT Cross Industry Invoice: the format inside Factur-X (R7.1). */
export function ciiOf(invoice: ElectronicInvoice): string {
  return xmlDocument(
    'rsm:CrossIndustryInvoice',
    NAMESPACES,
    branch(
      'rsm:ExchangedDocumentContext',
      branch(
        'ram:BusinessProcessSpecifiedDocumentContextParameter',
        leaf('ram:ID', invoice.process),
      ),
      branch('ram:GuidelineSpecifiedDocumentContextParameter', leaf('ram:ID', EN_16931)),
    ),
    branch(
      'rsm:ExchangedDocument',
      leaf('ram:ID', invoice.number),
      leaf('ram:TypeCode', invoice.isCreditNote ? '381' : '380'),
      date('ram:IssueDateTime', invoice.issuedOn),
      invoice.notes.map(({ code, text }) =>
        branch('ram:IncludedNote', leaf('ram:Content', text), leaf('ram:SubjectCode', code)),
      ),
    ),
    branch(
      'rsm:SupplyChainTradeTransaction',
      invoice.lines.map(lineOf),
      branch(
        'ram:ApplicableHeaderTradeAgreement',
        leaf('ram:BuyerReference', invoice.buyerReference),
        partyOf('ram:SellerTradeParty', invoice.seller),
        partyOf('ram:BuyerTradeParty', invoice.buyer),
      ),
      deliveryOf(invoice),
      settlementOf(invoice),
    ),
  )
}

function lineOf(line: ElectronicLine): Xml | null {
  return branch(
    'ram:IncludedSupplyChainTradeLineItem',
    branch('ram:AssociatedDocumentLineDocument', leaf('ram:LineID', line.id)),
    branch('ram:SpecifiedTradeProduct', leaf('ram:Name', line.name)),
    branch(
      'ram:SpecifiedLineTradeAgreement',
      branch(
        'ram:NetPriceProductTradePrice',
        leaf('ram:ChargeAmount', line.price),
        leaf('ram:BasisQuantity', line.baseQuantity, UNIT),
      ),
    ),
    branch('ram:SpecifiedLineTradeDelivery', leaf('ram:BilledQuantity', line.quantity, UNIT)),
    branch(
      'ram:SpecifiedLineTradeSettlement',
      branch(
        'ram:ApplicableTradeTax',
        leaf('ram:TypeCode', 'VAT'),
        leaf('ram:CategoryCode', line.category),
        leaf('ram:RateApplicablePercent', line.rate),
      ),
      periodOf(line.period),
      line.allowance &&
        branch(
          'ram:SpecifiedTradeAllowanceCharge',
          branch('ram:ChargeIndicator', leaf('udt:Indicator', 'false')),
          leaf('ram:ActualAmount', line.allowance.amount),
          leaf('ram:ReasonCode', '95'),
          leaf('ram:Reason', line.allowance.reason),
        ),
      branch(
        'ram:SpecifiedTradeSettlementLineMonetarySummation',
        leaf('ram:LineTotalAmount', line.net),
      ),
    ),
  )
}

function partyOf(
  name: string,
  { party, ownId, legalId, vatId, taxId, address }: ElectronicParty,
): Xml | null {
  return branch(
    name,
    leaf('ram:ID', ownId),
    leaf('ram:Name', party.name),
    legalId &&
      branch('ram:SpecifiedLegalOrganization', leaf('ram:ID', legalId.id, schemeOf(legalId))),
    branch(
      'ram:PostalTradeAddress',
      leaf('ram:PostcodeCode', party.postcode),
      leaf('ram:LineOne', party.line1),
      leaf('ram:LineTwo', party.line2),
      leaf('ram:CityName', party.city),
      leaf('ram:CountryID', party.country),
      leaf('ram:CountrySubDivisionName', party.region),
    ),
    address &&
      branch('ram:URIUniversalCommunication', leaf('ram:URIID', address.id, schemeOf(address))),
    branch('ram:SpecifiedTaxRegistration', leaf('ram:ID', vatId, { schemeID: 'VA' })),
    branch('ram:SpecifiedTaxRegistration', leaf('ram:ID', taxId, { schemeID: 'FC' })),
  )
}

/** Present even if it is empty: the syntax requires it. */
function deliveryOf({ suppliedOn }: ElectronicInvoice): Xml {
  const event =
    suppliedOn &&
    branch('ram:ActualDeliverySupplyChainEvent', date('ram:OccurrenceDateTime', suppliedOn))
  const name = 'ram:ApplicableHeaderTradeDelivery'
  return branch(name, event) ?? { name, attributes: {}, content: '' }
}

function settlementOf(invoice: ElectronicInvoice): Xml | null {
  const { transfer, totals, currency, corrects } = invoice
  return branch(
    'ram:ApplicableHeaderTradeSettlement',
    transfer && leaf('ram:PaymentReference', transfer.reference),
    leaf('ram:InvoiceCurrencyCode', currency),
    transfer &&
      branch(
        'ram:SpecifiedTradeSettlementPaymentMeans',
        leaf('ram:TypeCode', transfer.code),
        branch(
          'ram:PayeePartyCreditorFinancialAccount',
          leaf('ram:IBANID', transfer.iban),
          leaf('ram:AccountName', transfer.accountName),
        ),
        branch('ram:PayeeSpecifiedCreditorFinancialInstitution', leaf('ram:BICID', transfer.bic)),
      ),
    invoice.taxes.map(taxOf),
    periodOf(invoice.supply),
    branch(
      'ram:SpecifiedTradePaymentTerms',
      leaf('ram:Description', invoice.terms),
      invoice.dueOn && date('ram:DueDateDateTime', invoice.dueOn),
    ),
    branch(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      leaf('ram:LineTotalAmount', totals.lines),
      leaf('ram:TaxBasisTotalAmount', totals.net),
      leaf('ram:TaxTotalAmount', totals.tax, { currencyID: currency }),
      leaf('ram:GrandTotalAmount', totals.total),
      leaf('ram:TotalPrepaidAmount', totals.paid),
      leaf('ram:DuePayableAmount', totals.due),
    ),
    corrects &&
      branch(
        'ram:InvoiceReferencedDocument',
        leaf('ram:IssuerAssignedID', corrects.number),
        branch(
          'ram:FormattedIssueDateTime',
          leaf('qdt:DateTimeString', plainDay(corrects.issuedOn), DAY_FORMAT),
        ),
      ),
  )
}

function periodOf(period: ElectronicLine['period']): Xml | null {
  if (period === null) return null
  return branch(
    'ram:BillingSpecifiedPeriod',
    date('ram:StartDateTime', period.from),
    date('ram:EndDateTime', period.to),
  )
}

function taxOf({ tax, base, category, rate, exemption }: ElectronicTax): Xml | null {
  return branch(
    'ram:ApplicableTradeTax',
    leaf('ram:CalculatedAmount', tax),
    leaf('ram:TypeCode', 'VAT'),
    leaf('ram:ExemptionReason', exemption?.text ?? null),
    leaf('ram:BasisAmount', base),
    leaf('ram:CategoryCode', category),
    leaf('ram:ExemptionReasonCode', exemption?.code ?? null),
    leaf('ram:RateApplicablePercent', rate),
  )
}

/** Days are written YYYYMMDD. */
const DAY_FORMAT = { format: '102' }

function date(name: string, day: Day): Xml | null {
  return branch(name, leaf('udt:DateTimeString', plainDay(day), DAY_FORMAT))
}

function plainDay(day: Day): string {
  return day.replaceAll('-', '')
}

function schemeOf({ scheme }: { scheme: string | null }): Record<string, string> {
  return scheme === null ? {} : { schemeID: scheme }
}
