import type { ReactNode } from 'react'
import { useMayOpen } from '../../../api/screens.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { I, Link, LinkButton, Page } from '../../../ui/index.ts'
import { STEPS, type StepName, useSteps } from './state.ts'

/** One step of the first run: its form, links to the other steps, and its status. */
export function StepFrame({ step, children }: { step: StepName; children: ReactNode }) {
  const { setup } = useAdminTexts()
  const { steps } = useSteps()
  const mayOpen = useMayOpen()
  const own = steps.filter(({ name }) => mayOpen(`/admin/first-run/${name}`))
  const next = STEPS.slice(STEPS.indexOf(step) + 1).find((it) => mayOpen(`/admin/first-run/${it}`))
  const mayReturn = mayOpen('/admin/first-run')
  return (
    <Page title={setup.names[step]} sub={setup.why[step]}>
      <div className="first-run">
        <nav aria-label={setup.steps} className="links-row hscroll">
          <ol>
            {own.map(({ name, isDone }) => (
              <li key={name}>
                <Link
                  to={`/admin/first-run/${name}`}
                  activeProps={{ className: 'active', 'aria-current': 'step' }}
                >
                  {isDone ? <I.Check size={14} stroke={2.4} aria-hidden /> : null}
                  {setup.names[name]}
                  {isDone ? <span className="sr">{setup.done}</span> : null}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <div className="stack s24">
          {children}
          <div className="row between wrap">
            {mayReturn ? (
              <LinkButton to="/admin/first-run" variant="default">
                {setup.back}
              </LinkButton>
            ) : null}
            {next ? (
              <LinkButton to={`/admin/first-run/${next}`} variant="default">
                {setup.next(setup.names[next])}
              </LinkButton>
            ) : mayReturn ? (
              <LinkButton to="/admin/first-run">{setup.next(setup.names.ready)}</LinkButton>
            ) : null}
          </div>
        </div>
      </div>
    </Page>
  )
}
