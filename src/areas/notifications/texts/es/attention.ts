import { plural } from '#lib/plural.ts'
import { type AttentionTexts, detailsIn, failureIn, type ReportWords } from '../attention.ts'
import { dayText } from '../days.ts'

function day(value: string): string {
  return dayText(value, 'es-ES')
}

const words: ReportWords = {
  locale: 'es',
  colon: ': ',
  labels: {
    amountCents: 'Importe',
    accountId: 'Cuenta',
    askedCents: 'Esperado',
    attemptId: 'Intento',
    code: 'Código',
    count: 'Número',
    disputeId: 'Disputa',
    eventId: 'Evento',
    eventKey: 'Evento del proveedor',
    gatewayId: 'Pasarela de pago',
    message: 'Respuesta',
    name: 'Nombre',
    objectId: 'Identificador en el proveedor',
    paymentId: 'Pago',
    receivedCents: 'Recibido',
    refundCents: 'Reembolsado',
    refundId: 'Reembolso',
    requestedCents: 'Solicitado',
    state: 'Estado',
    statementId: 'Extracto bancario',
    type: 'Tipo',
    userId: 'Cliente',
    why: 'Diferencia',
  },
  failures: {
    account_busy: 'Otro proceso está creando la cuenta del cliente en el panel.',
    backups_in_use: 'El servidor tiene más copias de seguridad que el nuevo producto.',
    country_unknown: 'No se conoce el país del cliente.',
    databases_in_use: 'El servidor tiene más bases de datos que el nuevo producto.',
    disk_in_use: 'El servidor usa más disco del que tiene el nuevo producto.',
    given_up: 'Un operador lo ha cancelado.',
    no_blueprint: 'El producto no tiene configuración de instalación.',
    no_capacity: 'No hay capacidad suficiente.',
    no_customer: 'El cliente ya no existe.',
    no_egg: 'El egg del producto no está en este panel.',
    no_panel: 'Ninguno de los paneles del producto tiene el egg.',
    node_deleted: 'Se ha eliminado la conexión con el panel.',
    not_done: 'El panel ha confirmado el cambio, pero no lo ha hecho.',
    ports_in_use: 'El servidor tiene más puertos que el nuevo producto.',
    server_gone: 'El servidor no está en el panel.',
    service_ended: 'El servicio ha finalizado o está a punto de finalizar.',
    tax_rate_unknown: 'No hay un tipo de IVA para el país del cliente.',
    trial_used: 'Otro cliente ya ha probado este producto con la misma cuenta del panel.',
    unexpected: 'No se ha podido crear su factura. El motivo está en el registro.',
    unmanaged: 'Su servidor no está en ningún panel conectado. Gestiónalo manualmente.',
  },
}

const GOALS = {
  active: 'iniciar',
  suspended: 'suspender',
  ended: 'apagar',
  deleted: 'eliminar',
} as const

const TASKS = {
  create: 'entregar',
  change: 'modificar',
  suspend: 'suspender',
  resume: 'levantar la suspensión de',
  end: 'finalizar',
} as const

const DELIVERIES = {
  create: 'La entrega',
  change: 'La modificación',
  suspend: 'La suspensión',
  resume: 'El fin de la suspensión',
  end: 'El fin',
} as const

const DISABLED = {
  gone: 'Ha respondido 410 Gone: ya no acepta eventos.',
  failing: 'Los envíos llevan cinco días fallando.',
} as const

/** What administrators are told of their work, in Spanish. */
export const attention: AttentionTexts = {
  renewal_failed: (it) => ({
    title:
      it.others > 0
        ? `No se han podido renovar ${it.name} y ${it.others} más`
        : `No se ha podido renovar ${it.name}`,
    body: failureIn(words, it),
  }),
  reinstall_failed: (it) => ({
    title: `No se ha podido reinstalar ${it.name}`,
    body: `La reinstalación de ${it.name} ha fallado en el panel.`,
  }),
  upgrade_failed: (it) => ({
    title: `No se ha podido cambiar ${it.name}`,
    body: failureIn(words, it),
  }),
  task_created: (it) => ({
    title: `Nueva tarea: ${TASKS[it.action]} ${it.name}`,
    body: `Hay que terminarla el ${day(it.dueOn)}.`,
  }),
  delivery_failed: ({ name, action, code, detail }) =>
    code === 'unconfirmed'
      ? {
          title: `${DELIVERIES[action]} de ${name} no se ha confirmado`,
          body: `Tu sistema en ${detail} no lo ha confirmado a tiempo. Compruébalo; la página del servicio muestra cada intento.`,
        }
      : {
          title: `${DELIVERIES[action]} de ${name} ha fallado`,
          body:
            code === 'unanswered'
              ? `Tu sistema no lo ha confirmado en tres días de intentos. Último resultado: ${detail}`
              : `Respuesta de tu sistema: ${detail}`,
        },
  service_stuck: (it) => ({
    title: `No se ha podido ${GOALS[it.goal]} el servidor de ${it.name}`,
    body: failureIn(words, it),
  }),
  setup_failed: (it) => ({
    title: `No se ha podido instalar ${it.name}`,
    body: failureIn(words, it),
  }),
  setup_waits: (it) => ({
    title: `${it.name} está a la espera de instalarse`,
    body: failureIn(words, it),
  }),
  vat_number_refused: (it) => ({
    title: 'Un NIF-IVA no figura en el registro de la UE',
    body: `${it.email}: ${it.vatNumber}. Las próximas facturas llevarán IVA.`,
  }),
  eggs_changed: ({ eggs, products }) => ({
    title: products.some(({ faults }) => faults !== '')
      ? 'Un egg modificado impide crear servidores de algunos productos'
      : 'Ha cambiado un egg que usan algunos productos',
    body: [
      `Eggs modificados: ${eggs.join(', ')}`,
      ...products.map(
        ({ name, faults }) => `${name}: ${faults || 'se pueden crear servidores como antes'}`,
      ),
    ].join('\n'),
  }),
  product_not_sold: ({ name, faults }) => ({
    title: `${name} ya no se vende`,
    body: [
      'Ya no se puede entregar, así que la tienda no lo muestra ni lo vende. Los servicios existentes continúan.',
      ...faults,
    ].join('\n'),
  }),
  endpoint_disabled: (it) => ({
    title: `Se ha desactivado el webhook de ${it.host}`,
    body: `${DISABLED[it.reason]} Los nuevos eventos se conservan y se pueden volver a enviar.`,
  }),
  mail_server_failing: (it) => ({
    title: `El servidor de correo ${it.host} no acepta correos`,
    body: `El envío se reintenta durante más de un día. Revisa los ajustes del servidor de correo. Su respuesta: ${it.answer}`,
  }),
  mail_text_not_used: (it) => ({
    title: 'No se usó tu texto de un correo',
    body: `Se envió el texto estándar en lugar de «${it.subject}» (${it.language}): la variable {{${it.placeholder}}} no tiene valor en ese correo.`,
    action: 'Ver el texto',
  }),
  import_not_undone: ({ file, inUse }) => ({
    title: `No se ha deshecho la importación de ${file}`,
    body: inUse
      ? 'Sus datos ya están en uso. La página de la importación los enumera.'
      : 'Todos los intentos de deshacerla han fallado y no se ha eliminado nada. El motivo está en el registro. Puedes volver a intentarlo.',
  }),
  warning_refused: (it) => ({
    title: `Nuestros avisos sobre ${it.name} no llegan`,
    body:
      it.step === 'end'
        ? `No hemos podido avisar al cliente por correo de que el servicio finaliza por falta de pago. Aun así, finalizará el ${day(it.on)} como muy pronto. Hasta entonces, puedes contactar con el cliente de otra forma o reenviar el correo.`
        : `No hemos podido avisar al cliente por correo de que el servidor se suspenderá por falta de pago. Aun así, se suspenderá el ${day(it.on)} como muy pronto. Hasta entonces, puedes contactar con el cliente de otra forma o reenviar el correo.`,
  }),
  failed_not_refunded: ({ count }) => ({
    title: `${count} ${plural('es', count, 'servicio fallido no se reembolsa', 'servicios fallidos no se reembolsan')} automáticamente`,
    body: 'Se ha alcanzado el límite diario de reembolsos automáticos o un reembolso no es posible. Comprueba si el panel funciona y después reinténtalo o reembolsa los servicios.',
  }),
  import_reconciled: (it) => ({
    title: `Conciliados los primeros ${it.days} días tras la importación de ${it.file}`,
    body:
      it.unexplained === 0
        ? `Lo facturado a los ${it.customers} clientes coincide con la vista previa, o la diferencia está explicada.`
        : `A ${it.unexplained} de ${it.customers} clientes se ${plural('es', it.unexplained, 'le', 'les')} ha facturado un importe distinto del previsto, sin motivo conocido. Revísalos.`,
  }),
  bank_entries_open: (it) => ({
    title: 'Ha llegado una transferencia con una referencia desconocida',
    ...detailsIn(words, it),
  }),
  books_differ: (it) => ({
    title: 'Los registros de un proveedor de pagos difieren de los nuestros',
    ...detailsIn(words, it),
  }),
  books_not_read: (it) => ({
    title: 'Un proveedor de pagos ha denegado el acceso a su lista de pagos',
    ...detailsIn(words, it),
  }),
  change_not_credited: (it) => ({
    title: 'Un cambio de plan no se ha abonado por completo porque un pago está en disputa',
    ...detailsIn(words, it),
  }),
  dispute_fee_currency: (it) => ({
    title: 'No se ha contabilizado una tarifa por disputa en otra moneda',
    ...detailsIn(words, it),
  }),
  event_not_applied: (it) => ({
    title: 'No se ha podido procesar un evento de un proveedor de pagos',
    ...detailsIn(words, it),
  }),
  event_of_other_mode: (it) => ({
    title: 'Una pasarela de pago ha recibido un evento del otro modo',
    ...detailsIn(words, it),
  }),
  gateway_unhealthy: (it) => ({
    title: 'Ya no se aceptan las credenciales de una pasarela de pago',
    ...detailsIn(words, it),
  }),
  late_payment: (it) => ({
    title: 'Ha llegado un pago de una factura que ya no estaba pendiente',
    ...detailsIn(words, it),
  }),
  payment_disputed: (it) => ({ title: 'Un pago está en disputa', ...detailsIn(words, it) }),
  payment_mismatch: (it) => ({
    title: 'Un pago difiere de lo solicitado y no se ha contabilizado',
    ...detailsIn(words, it),
  }),
  payment_not_started: (it) => ({
    title: 'No se ha podido iniciar un pago',
    ...detailsIn(words, it),
  }),
  refund_beyond_credit: (it) => ({
    title: 'Un reembolso en el proveedor supera el saldo del cliente',
    ...detailsIn(words, it),
  }),
  refund_by_hand: (it) => ({
    title: 'Hay que hacer un reembolso manualmente',
    ...detailsIn(words, it),
  }),
  refund_failed: (it) => ({
    title: 'Un reembolso ha fallado y se ha añadido al saldo del cliente',
    ...detailsIn(words, it),
  }),
  refund_mismatch: (it) => ({
    title: 'Un reembolso no coincide con su pago y no se ha contabilizado',
    ...detailsIn(words, it),
  }),
  refund_not_sent: (it) => ({
    title: 'No se ha podido enviar un reembolso a su proveedor',
    ...detailsIn(words, it),
  }),
  webhook_not_registered: (it) => ({
    title: 'No se ha podido registrar el webhook en un proveedor de pagos',
    ...detailsIn(words, it),
  }),
}
