import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type InnerLinkProps = {
  readonly href: string
  readonly className?: string
  readonly children: ReactNode
}

/** A link to a path that is known only at run time; it opens within the application. */
export function InnerLink({ href, className, children }: InnerLinkProps) {
  const navigate = useNavigate()
  return (
    <a
      href={href}
      className={className}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        void navigate({ href })
      }}
    >
      {children}
    </a>
  )
}
