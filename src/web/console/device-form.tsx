import {
  fieldOf,
  type Kind,
  type Model,
  type PairAction,
  type PairForm,
  type Problems,
  type Purpose,
  type TextField,
} from "./pair-form.ts";
import { Field } from "./parts.tsx";
import type { Trouble } from "./trouble.ts";

interface DeviceFormProps {
  readonly form: PairForm;
  readonly change: (action: PairAction) => void;
  readonly models: readonly Model[];
  readonly purpose: Purpose;
  readonly problems: Problems;
  readonly trouble: Trouble | undefined;
}

const KINDS: Readonly<Record<Kind, string>> = {
  serial: "Serial port, or USB as a serial port",
  usb: "USB",
  tcp: "Network (TCP)",
  websocket: "Network (WebSocket)",
};
const EVERY_KIND = ["serial", "usb", "tcp", "websocket"] as const;

/** The form of a terminal. A refusal of the bridge appears at its field. */
export function DeviceForm(props: DeviceFormProps) {
  const { form, change, models, purpose, problems, trouble } = props;
  const refusedAt = fieldOf(trouble?.path);
  const text = (field: TextField) => ({
    value: form[field],
    onText: (typed: string) => change({ is: "typed", field, text: typed }),
    problem: problems[field] ?? (refusedAt === field ? trouble?.text : undefined),
  });
  const isNew = purpose === "pair";
  return (
    <div class="fields">
      {isNew && <Field label="Id" {...text("id")} hint="Registers name it so. It never changes." />}
      {isNew && <Field label="Name for people (optional)" {...text("label")} hint="Such as: front desk" />}
      <ModelChoice {...props} />
      <KindChoice {...props} />
      {form.kind === "usb" ? (
        <>
          <Field label="USB vendor id" {...text("usbVendor")} hint="Four hexadecimal digits" />
          <Field label="USB product id" {...text("usbProduct")} hint="Four hexadecimal digits" />
          <Field label="USB serial number (optional)" {...text("usbSerial")} hint="Tells two of the same kind apart" />
        </>
      ) : (
        <Field label={form.kind === "serial" ? "Device" : "Address and port"} {...text("address")} />
      )}
      <Field
        label={isNew ? "Terminal id" : "Terminal id (optional)"}
        {...text("terminalId")}
        hint={isNew ? "pos.terminalId, from the acquirer" : "Only if the acquirer gave a new one"}
      />
      <Field
        label="Device type (optional)"
        {...text("deviceType")}
        hint="pos.deviceType, as the acquirer names the model"
      />
      <Field
        label="Device id (optional)"
        {...text("deviceId")}
        hint="pos.deviceId, digits, as the acquirer knows this device"
      />
      {isNew && <Field label="Entity id (optional)" {...text("entityId")} hint="Only for a shop in the shop" />}
      {models
        .find(({ id }) => id === form.model)
        ?.options.map(({ name, meaning, usual }) => (
          <Field
            key={name}
            label={`Option ${name} (optional)`}
            hint={`${meaning}. Usually ${usual}`}
            placeholder={usual}
            value={form.options[name] ?? ""}
            onText={(typed) => change({ is: "option", name, text: typed })}
          />
        ))}
    </div>
  );
}

function ModelChoice({ form, change, models, problems }: DeviceFormProps) {
  return (
    <label>
      Model
      <select
        value={form.model}
        aria-invalid={problems.model !== undefined}
        onChange={({ currentTarget }) => change({ is: "typed", field: "model", text: currentTarget.value })}
      >
        <option value="">Choose…</option>
        {models.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      {problems.model !== undefined && <span class="problem">{problems.model}</span>}
    </label>
  );
}

function KindChoice({ form, change, models }: DeviceFormProps) {
  const known = models.find(({ id }) => id === form.model)?.connections ?? EVERY_KIND;
  const kinds = EVERY_KIND.filter((kind) => known.includes(kind) || kind === form.kind);
  return (
    <label>
      Connected by
      <select
        value={form.kind}
        onChange={({ currentTarget }) => {
          const kind = kinds.find((one) => one === currentTarget.value);
          if (kind !== undefined) change({ is: "kind", kind });
        }}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {KINDS[kind]}
          </option>
        ))}
      </select>
    </label>
  );
}
