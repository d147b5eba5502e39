import { MoorageError } from '@moorage/client'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import * as I from './icons.ts'
import { Button } from './kit.ts'
import { Page } from './page.tsx'
import { type Icon, LinkButton } from './parts.tsx'

type EmptyProps = {
  readonly icon: Icon
  readonly title: string
  readonly action?: ReactNode
  /** Whether it replaces a whole screen; its title is then the heading of the page. */
  readonly isScreen?: boolean
  readonly children?: ReactNode
}

/** The empty state: what will be here, and the button that creates it. */
export function Empty({ icon: Art, title, action, isScreen = false, children }: EmptyProps) {
  const Heading = isScreen ? 'h1' : 'h2'
  return (
    <div className="empty">
      <span className="art">
        <Art size={22} stroke={1.6} aria-hidden />
      </span>
      <Heading className="h2">{title}</Heading>
      <p>{children}</p>
      {action}
    </div>
  )
}

export function Skeleton({
  width = '100%',
  height = 14,
}: {
  width?: number | string
  height?: number
}) {
  return <div className="skel" style={{ width, height }} />
}

const PATIENCE_MS = 200

/** The outline of a screen, shown after a short delay, so that fast responses do not flicker. */
export function Loading({ children }: { children?: ReactNode }) {
  const { common } = useTexts()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    <div role="status">
      <span className="sr">{common.loading}</span>
      {children ?? (
        <div className="stack s24">
          <Skeleton width={220} height={28} />
          <div className="grid cols-3">
            <Skeleton height={148} />
            <Skeleton height={148} />
            <Skeleton height={148} />
          </div>
          <Skeleton height={260} />
        </div>
      )}
    </div>
  )
}

type LoadedProps<T> = {
  readonly query: UseQueryResult<T, Error>
  /** Shown while nothing is loaded yet; without it, the outline of a whole screen. */
  readonly waiting?: ReactNode
  /** Whether it is a whole screen, which the error then replaces. */
  readonly isScreen?: boolean
  readonly children: (data: T) => ReactNode
}

/** The loaded data, or the error. Earlier data stays visible while it is loaded again. */
export function Loaded<T>({ query, waiting, isScreen, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) {
    const failed = { error: query.error, again: () => void query.refetch() }
    return isScreen ? <FailedScreen {...failed} /> : <Failed {...failed} />
  }
  return <Loading>{waiting}</Loading>
}

type FailedProps = { readonly error: Error; readonly again: () => void }

/** Shown in place of a part that could not be loaded; the rest of the screen stays. */
export function Failed({ error, again, isScreen = false }: FailedProps & { isScreen?: boolean }) {
  const { common } = useTexts()
  const problem = error instanceof MoorageError ? error : null
  // An answer without a sentence of the API comes from a proxy before it.
  const isTold = problem !== null && problem.code !== 'unreadable'
  if (problem?.status === 404) return <NotFound />
  if (problem?.status === 403) {
    return (
      <Empty isScreen={isScreen} icon={I.Lock} title={common.forbidden}>
        {problem.message}
      </Empty>
    )
  }
  return (
    <Empty
      isScreen={isScreen}
      icon={I.AlertCircle}
      title={common.failed}
      action={
        <Button variant="default" onClick={again}>
          {common.tryAgain}
        </Button>
      }
    >
      {isTold ? problem.message : common.noConnection} {common.nothingChanged}
      {problem?.requestId ? (
        <span className="sub"> {common.request(problem.requestId)}</span>
      ) : null}
    </Empty>
  )
}

/** Shown in place of a screen that could not be loaded, as its heading. */
function FailedScreen({ error, again }: FailedProps) {
  const { common } = useTexts()
  const status = error instanceof MoorageError ? error.status : null
  if (status === 404) return <NotFound />
  return (
    <Page
      title={status === 403 ? common.forbidden : common.failed}
      head={<Failed {...{ error, again }} isScreen />}
    />
  )
}

export function NotFound() {
  const { common } = useTexts()
  return (
    <Page
      title={common.notFound}
      head={
        <Empty
          isScreen
          icon={I.Search}
          title={common.notFound}
          action={
            <LinkButton to="/home" variant="default">
              {common.home}
            </LinkButton>
          }
        >
          {common.notFoundText}
        </Empty>
      }
    />
  )
}
