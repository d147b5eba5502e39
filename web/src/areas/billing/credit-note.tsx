import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, Facts, Link, Loaded, Page, useFormats } from '../../ui/index.ts'
import { creditNote } from './reads.ts'
import { useSave } from './save.ts'

/** One credit note, with its documents and the invoice that it corrects. */
export function CreditNotePage() {
  const { id = '' } = useParams({ strict: false })
  const { billing } = useTexts()
  const { money, date, rate } = useFormats()
  const save = useSave()
  const query = useQuery(creditNote(id))
  const path = { params: { path: { id } }, parseAs: 'blob' } as const
  return (
    <div className="service">
      <Loaded isScreen query={query}>
        {(note) => (
          <Page
            title={note.number}
            sub={billing.creditNote}
            actions={
              <>
                <Button
                  variant="default"
                  onClick={() =>
                    save(
                      `${note.number}.pdf`,
                      client.GET('/v1/billing/credit-notes/{id}/pdf', path),
                    )
                  }
                >
                  {billing.pdf}
                </Button>
                <Button
                  variant="default"
                  onClick={() =>
                    save(
                      `${note.number}.xml`,
                      client.GET('/v1/billing/credit-notes/{id}/xml', path),
                    )
                  }
                >
                  {billing.xml}
                </Button>
              </>
            }
          >
            <Card>
              <Facts
                rows={[
                  [
                    billing.forInvoice,
                    <Link key="invoice" to="/invoices/$id" params={{ id: note.invoiceId }}>
                      {note.invoiceNumber}
                    </Link>,
                  ],
                  [billing.issued, date(note.issuedAt)],
                  [billing.reason, note.reason],
                  [billing.net, money(note.netCents, note.currency)],
                  ...note.taxes.map(
                    ({ rateBasisPoints, taxCents }) =>
                      [
                        rateBasisPoints === null
                          ? billing.taxFree
                          : billing.tax(rate(rateBasisPoints)),
                        money(taxCents, note.currency),
                      ] as const,
                  ),
                  [
                    billing.total,
                    <strong key="total">{money(note.totalCents, note.currency)}</strong>,
                  ],
                ]}
              />
            </Card>
          </Page>
        )}
      </Loaded>
    </div>
  )
}
