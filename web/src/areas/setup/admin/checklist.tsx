import { useQuery } from '@tanstack/react-query'
import { me } from '../../../api/reads.ts'
import { useMayOpen } from '../../../api/screens.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, Card, I, LinkButton, Loaded, Meter, Notice, Page, Tag } from '../../../ui/index.ts'
import { type Step, useSteps } from './state.ts'

/** The first page of a new shop: completed and open steps, and whether it takes orders. */
export function FirstRun() {
  const { setup } = useAdminTexts()
  const { query, steps, items, sells } = useSteps()
  const done = steps.filter(({ isDone }) => isDone).length
  const missing = items.filter(({ state }) => state === 'missing')
  return (
    <Page title={setup.title} sub={setup.lead}>
      <Loaded query={query}>
        {() => (
          <div className="stack s24">
            <Card title={setup.steps} right={setup.progress(done, steps.length)}>
              <Meter ratio={done / steps.length} label={setup.progress(done, steps.length)} />
              <ol>
                {steps.map((step) => (
                  <Item key={step.name} step={step} />
                ))}
              </ol>
            </Card>
            <Card
              title={setup.ready.title}
              right={
                <Tag tone={sells ? 'active' : 'attention'}>
                  {sells ? setup.sells : setup.sellsNot}
                </Tag>
              }
            >
              <div className="stack">
                <p className="dim">
                  {sells ? setup.sellsLeft(missing.length) : setup.sellsNotText(missing.length)}
                </p>
                <ul>
                  {missing.map(({ key, todo }) => (
                    <li key={key} className="check">
                      <span className="box" aria-hidden />
                      <span className="grow">
                        <span className="what">{setup.ready.items[key] ?? key}</span>
                        {todo ? <span className="sub block">{todo}</span> : null}
                      </span>
                    </li>
                  ))}
                </ul>
                <div className="row wrap">
                  <Button component="a" href="/" target="_blank">
                    {setup.seeShop}
                  </Button>
                  <Button
                    variant="default"
                    loading={query.isFetching}
                    onClick={() => void query.refetch()}
                  >
                    {setup.ready.check}
                  </Button>
                </div>
              </div>
            </Card>
            <Passkey />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Item({ step: { name, isDone, todo } }: { step: Step }) {
  const { setup } = useAdminTexts()
  const to = `/admin/first-run/${name}` as const
  const isOpen = useMayOpen()(to)
  return (
    <li className={isDone ? 'check done' : 'check'}>
      <span className="box" aria-hidden>
        {isDone ? <I.Check size={13} stroke={2.4} /> : null}
      </span>
      <span className="grow">
        <span className="what strong">{setup.names[name]}</span>
        <span className="sr">{isDone ? setup.done : setup.missing}</span>
        <span className="sub block">{todo ?? setup.why[name]}</span>
      </span>
      {isOpen ? (
        <LinkButton
          to={to}
          size="compact-sm"
          variant="default"
          aria-label={`${isDone ? setup.change : setup.open}: ${setup.names[name]}`}
        >
          {isDone ? setup.change : setup.open}
        </LinkButton>
      ) : null}
    </li>
  )
}

function Passkey() {
  const { setup } = useAdminTexts()
  const person = useQuery(me).data
  if (!person || person.mfaEnabled) return null
  return (
    <Notice
      tone="waiting"
      title={setup.passkey}
      action={
        <LinkButton to="/account/security" size="compact-sm" variant="default">
          {setup.addPasskey}
        </LinkButton>
      }
    >
      {setup.passkeyText}
    </Notice>
  )
}
