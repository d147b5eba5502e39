import { plural } from '#lib/plural.ts'
import type { ProblemLanguage } from '#lib/problem-messages/index.ts'

type Texts = (count: number, language: ProblemLanguage) => string

const TEXTS: Readonly<Record<ProblemLanguage, Texts>> = {
  en: (it, of) => plural(of, it, 'A file is attached.', `${it} files are attached.`),
  fr: (it, of) => plural(of, it, 'Un fichier est joint.', `${it} fichiers sont joints.`),
  de: (it, of) => plural(of, it, 'Eine Datei ist angehängt.', `${it} Dateien sind angehängt.`),
  nl: (it, of) =>
    plural(of, it, 'Er is een bestand bijgevoegd.', `Er zijn ${it} bestanden bijgevoegd.`),
  es: (it, of) => plural(of, it, 'Hay un archivo adjunto.', `Hay ${it} archivos adjuntos.`),
  it: (it, of) => plural(of, it, 'Un file è allegato.', `${it} file sono allegati.`),
  pl: (it, of) =>
    plural(
      ...([
        of,
        it,
        'Załączono plik.',
        `Załączono ${it} plików.`,
        `Załączono ${it} pliki.`,
      ] as const),
    ),
  pt: (it, of) => plural(of, it, 'Há um ficheiro anexado.', `Há ${it} ficheiros anexados.`),
}

/** A sentence with the number of files of a message, to append to another one; empty if it has none. */
export function attachedText(language: ProblemLanguage, count = 0): string {
  return count === 0 ? '' : ` ${TEXTS[language](count, language)}`
}
