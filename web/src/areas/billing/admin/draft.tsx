import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Faulty,
  I,
  IconAction,
  MoneyField,
  Notice,
  SaveBar,
  TextInput,
  told,
  useFormats,
} from '../../../ui/index.ts'
import type { AdminInvoice } from './reads.ts'

type Line = { key: string; description: string; quantity: string; cents: number | null }
type Fields = { dueOn: string; lines: readonly Line[] }

function fieldsOf({ dueAt, lines }: AdminInvoice): Fields {
  return {
    dueOn: dueAt?.slice(0, 10) ?? '',
    lines: lines.map((it) => ({
      ...{ key: it.id, description: it.description, quantity: String(it.quantity) },
      cents: it.unitPriceCents,
    })),
  }
}

/** Lines and due date of a draft. The API calculates the totals when the draft is saved. */
export function Draft({ invoice }: { invoice: AdminInvoice }) {
  const { invoices } = useAdminTexts()
  const may = useMay()
  const { id, currency } = invoice
  const params = { path: { id } }
  const form = useForm({
    name: `invoice:${id}`,
    saved: fieldsOf(invoice),
    call: ({ dueOn, lines }, intent) =>
      client.PATCH('/v1/admin/invoices/{id}', {
        params,
        body: {
          dueAt: dueOn ? `${dueOn}T12:00:00.000Z` : null,
          lines: lines.map((it) => ({
            description: it.description.trim(),
            quantity: Number(it.quantity),
            unitPriceCents: it.cents ?? 0,
          })),
        },
        ...intent,
      }),
    edits: { read: () => client.GET('/v1/admin/invoices/{id}', { params }), fieldsOf },
    changes: [['admin', 'invoices']],
    done: () => told(invoices.saved),
  })
  const { fields, set } = form
  const change = (key: string, part: Partial<Line>) =>
    set({ lines: fields.lines.map((it) => (it.key === key ? { ...it, ...part } : it)) })
  const add = () => {
    const line = { key: crypto.randomUUID(), description: '', quantity: '1', cents: null }
    set({ lines: [...fields.lines, line] })
  }
  if (!may('invoices:write')) return <Lines invoice={invoice} />
  return (
    <>
      <Card title={invoices.lines}>
        <div className="stack">
          <p className="dim">{invoices.draftHelp}</p>
          <Faulty fault={form.fault} />
          {form.errors.lines ? <Notice tone="attention" title={form.errors.lines} /> : null}
          {fields.lines.map((line, index) => (
            <EditedLine
              key={line.key}
              {...{ line, currency }}
              number={index + 1}
              change={(part) => change(line.key, part)}
              remove={() => set({ lines: fields.lines.filter(({ key }) => key !== line.key) })}
            />
          ))}
          <div>
            <Button variant="default" leftSection={<I.Plus size={16} aria-hidden />} onClick={add}>
              {invoices.addLine}
            </Button>
          </div>
          <TextInput type="date" className="find" label={invoices.dueOn} {...form.text('dueOn')} />
        </div>
      </Card>
      <SaveBar
        isChanged={form.isChanged}
        isSaving={form.isSaving}
        save={form.save}
        discard={form.reset}
      />
    </>
  )
}

type EditedProps = {
  readonly line: Line
  readonly number: number
  readonly currency: string
  readonly change: (part: Partial<Line>) => void
  readonly remove: () => void
}

function EditedLine({ line, number, currency, change, remove }: EditedProps) {
  const { invoices } = useAdminTexts()
  return (
    <fieldset className="plain edited-line">
      <legend className="sr">{`${invoices.line} ${number}`}</legend>
      <TextInput
        label={invoices.description}
        value={line.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <TextInput
        label={invoices.quantity}
        inputMode="numeric"
        value={line.quantity}
        onChange={(event) =>
          change({ quantity: event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 6) })
        }
      />
      <MoneyField
        label={invoices.unitPrice}
        currency={currency}
        cents={line.cents}
        onCents={(cents) => change({ cents })}
      />
      <IconAction label={invoices.removeLine(number)} icon={I.Trash} onClick={remove} />
    </fieldset>
  )
}

/** The lines of an issued invoice. */
export function Lines({ invoice: { lines, currency } }: { invoice: AdminInvoice }) {
  const { invoices } = useAdminTexts()
  const { money, date, lastDay } = useFormats()
  return (
    <Card flush title={invoices.lines}>
      <table className="table">
        <caption className="sr">{invoices.lines}</caption>
        <thead>
          <tr>
            <th scope="col">{invoices.description}</th>
            <th scope="col" className="r">
              {invoices.quantity}
            </th>
            <th scope="col" className="r">
              {invoices.net}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>
                <span className="who block">
                  {line.description}
                  {line.periodStart && line.periodEnd ? (
                    <span className="sub block">
                      {date(line.periodStart)} –{' '}
                      {lastDay({ start: line.periodStart, end: line.periodEnd })}
                    </span>
                  ) : null}
                </span>
              </td>
              <td className="r">{line.quantity}</td>
              <td className="r">{money(line.netCents, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
