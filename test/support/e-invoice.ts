import assert from 'node:assert/strict'
import { all, type Element, readXml, textAt } from './xml.ts'

/** An e-invoice as EN 16931 means it, read from either syntax; amounts as they are written. */
export type Semantic = {
  readonly type: string | null
  readonly number: string | null
  readonly currency: string | null
  readonly due: string | null
  readonly terms: string | null
  readonly notes: readonly { readonly code: string | null; readonly text: string }[]
  readonly preceding: { readonly number: string | null; readonly day: string | null } | null
  readonly seller: PartyRead
  readonly buyer: PartyRead
  /** First and last day that the document is about, and the day of supply. */
  readonly supply: { readonly from: string | null; readonly to: string | null }
  readonly suppliedOn: string | null
  readonly account: string | null
  readonly means: string | null
  readonly lines: readonly LineRead[]
  readonly taxes: readonly TaxRead[]
  readonly totals: Readonly<Record<'lines' | 'net' | 'tax' | 'total' | 'due', string>> & {
    readonly paid: string | null
    readonly allowances: string | null
    readonly charges: string | null
  }
  /** What is taken off, or added, to the document as a whole. */
  readonly allowances: readonly string[]
  readonly charges: readonly string[]
}

type PartyRead = {
  readonly name: string | null
  readonly country: string | null
  readonly ownId: string | null
  readonly legalId: string | null
  readonly vatId: string | null
  readonly taxId: string | null
  readonly address: string | null
}
export type LineRead = {
  readonly name: string | null
  readonly quantity: string
  readonly base: string | null
  readonly price: string
  readonly allowance: string | null
  readonly allowanceReason: string | null
  readonly net: string
  readonly category: string | null
  readonly rate: string | null
  readonly from: string | null
  readonly to: string | null
}
export type TaxRead = {
  readonly base: string
  readonly tax: string
  readonly category: string | null
  readonly rate: string | null
  readonly code: string | null
  readonly text: string | null
}

const CII_PERIOD = 'ram:BillingSpecifiedPeriod'

/** Reads an e-invoice in CII. */
export function readCii(xml: string): Semantic {
  const root = readXml(xml)
  const trade = one(root, 'rsm:SupplyChainTradeTransaction')
  const agreement = one(trade, 'ram:ApplicableHeaderTradeAgreement')
  const settled = one(trade, 'ram:ApplicableHeaderTradeSettlement')
  const sums = one(settled, 'ram:SpecifiedTradeSettlementHeaderMonetarySummation')
  const means = all(settled, 'ram:SpecifiedTradeSettlementPaymentMeans')[0]
  const [preceding] = all(settled, 'ram:InvoiceReferencedDocument')
  return {
    type: textAt(root, 'rsm:ExchangedDocument/ram:TypeCode'),
    number: textAt(root, 'rsm:ExchangedDocument/ram:ID'),
    currency: textAt(settled, 'ram:InvoiceCurrencyCode'),
    due: textAt(settled, 'ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString'),
    terms: textAt(settled, 'ram:SpecifiedTradePaymentTerms/ram:Description'),
    notes: all(root, 'rsm:ExchangedDocument/ram:IncludedNote').map((note) => ({
      code: textAt(note, 'ram:SubjectCode'),
      text: needed(note, 'ram:Content'),
    })),
    preceding: preceding
      ? {
          number: textAt(preceding, 'ram:IssuerAssignedID'),
          day: textAt(preceding, 'ram:FormattedIssueDateTime/qdt:DateTimeString'),
        }
      : null,
    seller: ciiParty(one(agreement, 'ram:SellerTradeParty')),
    buyer: ciiParty(one(agreement, 'ram:BuyerTradeParty')),
    supply: {
      from: textAt(settled, `${CII_PERIOD}/ram:StartDateTime/udt:DateTimeString`),
      to: textAt(settled, `${CII_PERIOD}/ram:EndDateTime/udt:DateTimeString`),
    },
    suppliedOn: textAt(
      one(trade, 'ram:ApplicableHeaderTradeDelivery'),
      'ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString',
    ),
    means: means ? textAt(means, 'ram:TypeCode') : null,
    account: means ? textAt(means, 'ram:PayeePartyCreditorFinancialAccount/ram:IBANID') : null,
    lines: all(trade, 'ram:IncludedSupplyChainTradeLineItem').map(ciiLine),
    taxes: all(settled, 'ram:ApplicableTradeTax').map((tax) => ({
      base: needed(tax, 'ram:BasisAmount'),
      tax: needed(tax, 'ram:CalculatedAmount'),
      category: textAt(tax, 'ram:CategoryCode'),
      rate: textAt(tax, 'ram:RateApplicablePercent'),
      code: textAt(tax, 'ram:ExemptionReasonCode'),
      text: textAt(tax, 'ram:ExemptionReason'),
    })),
    totals: {
      lines: needed(sums, 'ram:LineTotalAmount'),
      net: needed(sums, 'ram:TaxBasisTotalAmount'),
      tax: needed(sums, 'ram:TaxTotalAmount'),
      total: needed(sums, 'ram:GrandTotalAmount'),
      paid: textAt(sums, 'ram:TotalPrepaidAmount'),
      due: needed(sums, 'ram:DuePayableAmount'),
      allowances: textAt(sums, 'ram:AllowanceTotalAmount'),
      charges: textAt(sums, 'ram:ChargeTotalAmount'),
    },
    ...wholeChanges(all(settled, 'ram:SpecifiedTradeAllowanceCharge'), {
      indicator: 'ram:ChargeIndicator/udt:Indicator',
      amount: 'ram:ActualAmount',
    }),
  }
}

type Paths = { readonly indicator: string; readonly amount: string }

function wholeChanges(found: readonly Element[], { indicator, amount }: Paths) {
  const amounts = (charge: string) =>
    found.filter((it) => textAt(it, indicator) === charge).map((it) => needed(it, amount))
  return { allowances: amounts('false'), charges: amounts('true') }
}

function ciiParty(party: Element): PartyRead {
  const registrations = all(party, 'ram:SpecifiedTaxRegistration/ram:ID')
  const registered = (scheme: string) =>
    registrations.find((it) => it.attributes.get('schemeID') === scheme)?.text ?? null
  return {
    name: textAt(party, 'ram:Name'),
    country: textAt(party, 'ram:PostalTradeAddress/ram:CountryID'),
    ownId: textAt(party, 'ram:ID'),
    legalId: textAt(party, 'ram:SpecifiedLegalOrganization/ram:ID'),
    vatId: registered('VA'),
    taxId: registered('FC'),
    address: textAt(party, 'ram:URIUniversalCommunication/ram:URIID'),
  }
}

function ciiLine(line: Element): LineRead {
  const settled = one(line, 'ram:SpecifiedLineTradeSettlement')
  const price = one(line, 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice')
  const period = (end: string) =>
    textAt(settled, `ram:BillingSpecifiedPeriod/ram:${end}/udt:DateTimeString`)
  const [allowance] = all(settled, 'ram:SpecifiedTradeAllowanceCharge')
  if (allowance) assert.equal(textAt(allowance, 'ram:ChargeIndicator/udt:Indicator'), 'false')
  return {
    name: textAt(line, 'ram:SpecifiedTradeProduct/ram:Name'),
    quantity: needed(line, 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity'),
    base: textAt(price, 'ram:BasisQuantity'),
    price: needed(price, 'ram:ChargeAmount'),
    allowance: allowance ? textAt(allowance, 'ram:ActualAmount') : null,
    allowanceReason: allowance ? textAt(allowance, 'ram:ReasonCode') : null,
    net: needed(settled, 'ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount'),
    category: textAt(settled, 'ram:ApplicableTradeTax/ram:CategoryCode'),
    rate: textAt(settled, 'ram:ApplicableTradeTax/ram:RateApplicablePercent'),
    from: period('StartDateTime'),
    to: period('EndDateTime'),
  }
}

/** Reads an e-invoice in UBL. */
export function readUbl(xml: string): Semantic {
  const root = readXml(xml)
  const sums = one(root, 'cac:LegalMonetaryTotal')
  const credit = root.name === 'CreditNote'
  const line = credit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine'
  const preceding = all(root, 'cac:BillingReference/cac:InvoiceDocumentReference')[0]
  return {
    type: textAt(root, `cbc:${root.name}TypeCode`),
    number: textAt(root, 'cbc:ID'),
    currency: textAt(root, 'cbc:DocumentCurrencyCode'),
    due: textAt(root, 'cbc:DueDate')?.replaceAll('-', '') ?? null,
    terms: textAt(root, 'cac:PaymentTerms/cbc:Note'),
    notes: all(root, 'cbc:Note').map(({ text }) => {
      const [, code = null, rest = text] = /^#([A-Z]{3})#(.*)$/s.exec(text) ?? []
      return { code, text: rest }
    }),
    preceding: preceding
      ? {
          number: textAt(preceding, 'cbc:ID'),
          day: textAt(preceding, 'cbc:IssueDate')?.replaceAll('-', '') ?? null,
        }
      : null,
    seller: ublParty(one(root, 'cac:AccountingSupplierParty/cac:Party')),
    buyer: ublParty(one(root, 'cac:AccountingCustomerParty/cac:Party')),
    supply: {
      from: textAt(root, 'cac:InvoicePeriod/cbc:StartDate')?.replaceAll('-', '') ?? null,
      to: textAt(root, 'cac:InvoicePeriod/cbc:EndDate')?.replaceAll('-', '') ?? null,
    },
    suppliedOn: textAt(root, 'cac:Delivery/cbc:ActualDeliveryDate')?.replaceAll('-', '') ?? null,
    means: textAt(root, 'cac:PaymentMeans/cbc:PaymentMeansCode'),
    account: textAt(root, 'cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID'),
    lines: all(root, line).map((it) => ublLine(it, credit)),
    taxes: all(root, 'cac:TaxTotal/cac:TaxSubtotal').map((tax) => ({
      base: needed(tax, 'cbc:TaxableAmount'),
      tax: needed(tax, 'cbc:TaxAmount'),
      category: textAt(tax, 'cac:TaxCategory/cbc:ID'),
      rate: textAt(tax, 'cac:TaxCategory/cbc:Percent'),
      code: textAt(tax, 'cac:TaxCategory/cbc:TaxExemptionReasonCode'),
      text: textAt(tax, 'cac:TaxCategory/cbc:TaxExemptionReason'),
    })),
    totals: {
      lines: needed(sums, 'cbc:LineExtensionAmount'),
      net: needed(sums, 'cbc:TaxExclusiveAmount'),
      tax: needed(root, 'cac:TaxTotal/cbc:TaxAmount'),
      total: needed(sums, 'cbc:TaxInclusiveAmount'),
      paid: textAt(sums, 'cbc:PrepaidAmount'),
      due: needed(sums, 'cbc:PayableAmount'),
      allowances: textAt(sums, 'cbc:AllowanceTotalAmount'),
      charges: textAt(sums, 'cbc:ChargeTotalAmount'),
    },
    ...wholeChanges(all(root, 'cac:AllowanceCharge'), {
      indicator: 'cbc:ChargeIndicator',
      amount: 'cbc:Amount',
    }),
  }
}

function ublParty(party: Element): PartyRead {
  const registrations = all(party, 'cac:PartyTaxScheme')
  const registered = (scheme: string) => {
    const found = registrations.find((it) => textAt(it, 'cac:TaxScheme/cbc:ID') === scheme)
    return found ? textAt(found, 'cbc:CompanyID') : null
  }
  return {
    name: textAt(party, 'cac:PartyLegalEntity/cbc:RegistrationName'),
    country: textAt(party, 'cac:PostalAddress/cac:Country/cbc:IdentificationCode'),
    ownId: textAt(party, 'cac:PartyIdentification/cbc:ID'),
    legalId: textAt(party, 'cac:PartyLegalEntity/cbc:CompanyID'),
    vatId: registered('VAT'),
    taxId: registered('FC'),
    address: textAt(party, 'cbc:EndpointID'),
  }
}

function ublLine(line: Element, credit: boolean): LineRead {
  const [allowance] = all(line, 'cac:AllowanceCharge')
  if (allowance) assert.equal(textAt(allowance, 'cbc:ChargeIndicator'), 'false')
  const day = (end: string) =>
    textAt(line, `cac:InvoicePeriod/cbc:${end}`)?.replaceAll('-', '') ?? null
  return {
    name: textAt(line, 'cac:Item/cbc:Name'),
    quantity: needed(line, credit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity'),
    base: textAt(line, 'cac:Price/cbc:BaseQuantity'),
    price: needed(line, 'cac:Price/cbc:PriceAmount'),
    allowance: allowance ? textAt(allowance, 'cbc:Amount') : null,
    allowanceReason: allowance ? textAt(allowance, 'cbc:AllowanceChargeReasonCode') : null,
    net: needed(line, 'cbc:LineExtensionAmount'),
    category: textAt(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:ID'),
    rate: textAt(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:Percent'),
    from: day('StartDate'),
    to: day('EndDate'),
  }
}

function one(element: Element, path: string): Element {
  const [found, ...others] = all(element, path)
  assert.ok(found && others.length === 0, `${path} is there once`)
  return found
}

function needed(element: Element, path: string): string {
  const text = textAt(element, path)
  assert.ok(text !== null, `${path} is there`)
  return text
}
