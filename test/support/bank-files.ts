/** An entry of a statement, as a test wants it. */
export type WantedEntry = {
  amount: string
  currency?: string
  text?: string
  name?: string
  /** The bank's own id of it. */
  id?: string
  day?: string
  debit?: boolean
  status?: string
  /** The payments of a collective entry. */
  parts?: readonly { amount: string; text: string }[]
}

const IBAN = 'DE02120300000000202051'

/** A CAMT.053 file of an account with these entries. */
export function camtStatement(entries: readonly WantedEntry[], iban = IBAN): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>
${entries.map(entryText).join('\n')}</Stmt></BkToCstmrStmt></Document>`
}

function entryText(entry: WantedEntry): string {
  const { amount, currency = 'EUR', day = '2030-01-07', status = 'BOOK', id } = entry
  const details = entry.parts ?? [{ amount: null, text: entry.text }]
  const parts = details.map(
    (part) => `<TxDtls>
${part.amount === null ? '' : `<AmtDtls><TxAmt><Amt Ccy="${currency}">${part.amount}</Amt></TxAmt></AmtDtls>`}
<RltdPties><Dbtr><Nm>${escaped(entry.name ?? 'Ada Lovelace')}</Nm></Dbtr>
<DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>${escaped(part.text ?? '')}</Ustrd></RmtInf></TxDtls>`,
  )
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt>
<CdtDbtInd>${entry.debit ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts>${status}</Sts>
<BookgDt><Dt>${day}</Dt></BookgDt>${id ? `<AcctSvcrRef>${id}</AcctSvcrRef>` : ''}
<NtryDtls>${parts.join('')}</NtryDtls></Ntry>`
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
