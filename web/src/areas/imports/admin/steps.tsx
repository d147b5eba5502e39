import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useMayOpen } from '../../../api/screens.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  ConfirmButton,
  I,
  LinkButton,
  Loaded,
  Notice,
  told,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import { decisionsRead, type Import, reconciliationsRead, setUpRead } from './reads.ts'

type Name = 'seller' | 'taxes' | 'gateways' | 'products' | 'servers' | 'decisions' | 'preview'
type Step = {
  readonly name: Name
  /** Null: a step that is never done by itself. */
  readonly isDone: boolean | null
  readonly count?: number
}

/** The screen of a step, or the view of the import that it opens. */
const PLACES = {
  seller: '/admin/settings/company',
  taxes: '/admin/tax-rates',
  gateways: '/admin/gateways',
  products: '/admin/products',
  servers: '/admin/differences',
  decisions: null,
  preview: null,
} as const satisfies Readonly<Record<Name, string | null>>

const firstProducts = read(['products', 'first'], (signal) =>
  client.GET('/v1/admin/products', { params: { query: { limit: 100 } }, signal }),
)

/** The steps from a written import to its renewals; once they have started, the days of the comparisons. */
export function NextSteps({ import: it }: { import: Import }) {
  return (
    <Loaded query={useQuery(reconciliationsRead(it.id))} waiting={null}>
      {({ data }) => (data.length > 0 ? <Begun days={data} /> : <Before import={it} />)}
    </Loaded>
  )
}

function Before({ import: it }: { import: Import }) {
  const { imports: texts } = useAdminTexts()
  const mayWrite = useMay()('imports:write')
  const { query, steps } = useSteps(it)
  const counted = steps.filter(({ isDone }) => isDone !== null)
  const done = counted.filter(({ isDone }) => isDone).length
  const missing = steps.find(({ name }) => name === 'decisions')?.count ?? 0
  return (
    <Loaded query={query} waiting={null}>
      {() => (
        <Card title={texts.steps.title} right={texts.steps.progress(done, counted.length)}>
          <div className="stack">
            <ol>
              {steps.map((step) => (
                <OneStep key={step.name} step={step} />
              ))}
            </ol>
            {missing > 0 ? <p className="dim">{texts.steps.decideFirst}</p> : null}
            {mayWrite && missing === 0 ? (
              <div className="row wrap">
                <Begin id={it.id} />
              </div>
            ) : null}
          </div>
        </Card>
      )}
    </Loaded>
  )
}

function useSteps({ id, report }: Import) {
  const may = useMay()
  const query = useQuery(setUpRead(id))
  const decisions = useQuery(decisionsRead(id)).data?.data ?? []
  const products = useQuery({ ...firstProducts, enabled: may('store:read') }).data
  const setUp = query.data?.setUp ?? []
  const missing = (code: (typeof setUp)[number]['code']) =>
    setUp.find((one) => one.code === code)?.count ?? 0
  const chosen = (name: string) => decisions.find(({ decision }) => decision === name)?.choice
  const undecided = decisions.filter(({ needed, choice }) => needed && choice === null).length
  const [seller, unlinked] = [missing('seller_incomplete'), missing('servers_not_linked')]
  const drafts = products?.data.some((one) => one.publishedAt === null) ?? true
  const hasServices = (report?.resources.services?.imported ?? 0) > 0
  const steps: readonly Step[] = [
    { name: 'seller', isDone: seller === 0, count: seller },
    { name: 'taxes', isDone: missing('no_tax_rates') === 0 || Boolean(chosen('tax')) },
    { name: 'gateways', isDone: missing('no_gateway') === 0 || Boolean(chosen('gateways')) },
    { name: 'products', isDone: !drafts },
    ...(hasServices ? [{ name: 'servers' as const, isDone: unlinked === 0, count: unlinked }] : []),
    { name: 'decisions', isDone: undecided === 0, count: undecided },
    { name: 'preview', isDone: null },
  ]
  return { query, steps }
}

function OneStep({ step: { name, isDone, count = 0 } }: { step: Step }) {
  const { imports } = useAdminTexts()
  const texts = imports.steps
  const mayOpen = useMayOpen()
  const { set } = useListAddress()
  const place = PLACES[name]
  const label = `${texts.open}: ${texts.names[name]}`
  return (
    <li className={isDone ? 'check done' : 'check'}>
      <span className="box" aria-hidden>
        {isDone ? <I.Check size={13} stroke={2.4} /> : null}
      </span>
      <span className="grow">
        <span className="what strong">{texts.names[name]}</span>
        {isDone ? <span className="sr">{texts.done}</span> : null}
        <span className="sub block">{isDone ? texts.whenDone[name] : texts.todo[name](count)}</span>
      </span>
      {place === null ? (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={label}
          onClick={() => set({ view: name })}
        >
          {texts.open}
        </Button>
      ) : mayOpen(place) ? (
        <LinkButton to={place} size="compact-sm" variant="default" aria-label={label}>
          {texts.open}
        </LinkButton>
      ) : null}
    </li>
  )
}

function Begin({ id }: { id: string }) {
  const { imports: texts } = useAdminTexts()
  return (
    <ConfirmButton
      verb={texts.begin}
      title={texts.beginTitle}
      call={(_, intent) =>
        client.POST('/v1/admin/imports/{id}/begin-renewals', {
          params: { path: { id } },
          ...intent,
        })
      }
      changes={[['imports'], ['services']]}
      done={({ begun }) => told(texts.begun(begun))}
    >
      {texts.beginText}
    </ConfirmButton>
  )
}

type BegunProps = {
  readonly days: readonly { readonly beganAt: string; readonly throughAt: string }[]
}

function Begun({ days }: BegunProps) {
  const { imports: texts } = useAdminTexts()
  const { date } = useFormats()
  const { set } = useListAddress()
  const [first] = days
  return (
    <Notice
      tone="active"
      title={texts.steps.begun(date(first?.beganAt ?? ''))}
      action={
        <Button size="compact-sm" variant="default" onClick={() => set({ view: 'reconciliation' })}>
          {texts.views.reconciliation}
        </Button>
      }
    >
      {texts.steps.compared(days.map(({ throughAt }) => date(throughAt)))}
    </Notice>
  )
}
