import './styles/spotlight.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useEffect, useRef } from 'react'
import * as I from './icons.ts'
import type { Icon } from './parts.tsx'

export type Command = {
  readonly id: string
  readonly title: string
  readonly sub?: string
  readonly icon: Icon
  /** The keys that do the same, with spaces between. */
  readonly keys?: string
  readonly run: () => void
}

export type CommandGroup = {
  readonly title: string
  readonly commands: readonly Command[]
  /** Results of the API: they are not filtered again. */
  readonly isFound?: boolean
  /** Whether the group is shown completely while nothing is typed, such as the pages, which phones reach only here. */
  readonly isWhole?: boolean
}

type PaletteProps = {
  /** The number of openings: the palette opens whenever this increases. */
  readonly opened: number
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly groups: readonly CommandGroup[]
  readonly texts: {
    readonly label: string
    readonly placeholder: string
    readonly nothing: (query: string) => string
    readonly move: string
    readonly open: string
  }
}

const MOST = 6
const [store, spotlight] = createSpotlight()

/** Everything that can be reached or done, by typing a part of its name. */
export function CommandPalette({ opened, query, onQuery, groups, texts }: PaletteProps) {
  useEffect(() => {
    if (opened) spotlight.open()
  }, [opened])
  const wanted = folded(query.trim())
  const found = groups
    .map(({ title, commands, isFound = false, isWhole = false }) => ({
      ...{ title, isWhole },
      commands: commands.filter(
        (it) => isFound || folded(`${it.title} ${it.sub ?? ''}`).includes(wanted),
      ),
    }))
    .map(({ title, commands, isWhole }) => ({
      title,
      commands: commands.slice(0, wanted ? MOST : isWhole ? commands.length : 4),
    }))
    .filter(({ commands }) => commands.length > 0)
  const shown = found.flatMap(({ commands }) => commands.map(({ id }) => id)).join('\n')
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is found comes after what was typed.
  useEffect(() => {
    // The kit marks the first entry when the text changes, and loses the mark with its entry.
    if (!wanted) return
    const [first, ...others] = list.current?.querySelectorAll('[data-action]') ?? []
    for (const it of others) it.removeAttribute('data-selected')
    first?.setAttribute('data-selected', 'true')
    store.updateState((state) => ({ ...state, selected: 0 }))
  }, [shown])
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={onQuery}
      shortcut={null}
      classNames={{ content: 'spot' }}
      size={620}
      yOffset="14vh"
      overlayProps={{ backgroundOpacity: 0.28, blur: 2 }}
      transitionProps={{ duration: 110, transition: 'pop' }}
      attributes={{ content: { 'aria-label': texts.label } }}
    >
      <Spotlight.Search
        classNames={{ input: 'spot-search' }}
        placeholder={texts.placeholder}
        aria-label={texts.label}
        leftSection={<I.Search size={18} stroke={1.75} aria-hidden />}
      />
      <Spotlight.ActionsList ref={list} className="spot-list">
        {found.map(({ title, commands }) => (
          <Spotlight.ActionsGroup key={title} label={title} className="spot-group">
            {commands.map((command) => (
              <Entry key={command.id} command={command} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {found.length === 0 ? <Spotlight.Empty>{texts.nothing(query)}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
      <div className="spot-foot sm-gone">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {texts.move}
        </span>
        <span>
          <kbd>↵</kbd> {texts.open}
        </span>
      </div>
    </Spotlight.Root>
  )
}

function Entry({ command: { title, sub, icon: Art, keys = '', run } }: { command: Command }) {
  return (
    <Spotlight.Action className="spot-item" onClick={run}>
      <span className="row gap12 whole">
        <span className="dim place">
          <Art size={18} stroke={1.75} aria-hidden />
        </span>
        <span className="cut">{title}</span>
        {sub ? <span className="dim cut">{sub}</span> : null}
        {keys ? (
          <span className="row push sm-gone">
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </span>
        ) : null}
      </span>
    </Spotlight.Action>
  )
}

/** The text without case and accents, for comparison. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
