// From what a reader of the page chooses to what the trees read: softwood/interop/_rows.py.
//
// A row has one entry a column: a number (the code of a category), MISSING, or UNKNOWN, a category
// that the model has never seen.

export const MISSING = null;
export const UNKNOWN = "unknown";

const UNKNOWN_CODE = -2;

function unknownCode(reader, column, j) {
  if (reader.unknown === "spread") return UNKNOWN_CODE;
  if (reader.unknown === "other") return column.categories.length - 1;
  return missingCode(reader, j);
}

function missingCode(reader, j) {
  return reader.nullCode[j] === null ? NaN : reader.nullCode[j];
}

function encodeNumber(reader, value) {
  const number = value === MISSING ? NaN : Number(value);
  const isMark = reader.missingValue !== null && Math.fround(number) === Math.fround(reader.missingValue);
  return isMark ? NaN : number;
}

export function encodeRow(model, columns, row) {
  const { reader } = model;
  return Float64Array.from(columns, (column, j) => {
    let value;
    if (!column.categories) value = encodeNumber(reader, row[j]);
    else if (row[j] === MISSING) value = missingCode(reader, j);
    else value = row[j] === UNKNOWN ? unknownCode(reader, column, j) : Number(row[j]);
    if (Math.abs(value) <= reader.zero) value = 0;
    if (value === 0 && reader.zeroIsMissing.includes(j)) value = NaN;
    if (reader.fill.length) {
      if (Number.isNaN(value)) value = reader.fill[j];
      if (column.categories && value === UNKNOWN_CODE) value = NaN;
    }
    return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
  });
}

// Whether a column may hold a category that the model has never seen.
export function takesUnknown(model, column) {
  return column.categories !== null && (model.reader.unknown === "spread" || model.reader.unknown === "missing");
}
