/** Rows of models as releases before migration 6 wrote them. */

import type { ModelRow } from "../../../src/processor/ports/store";
import {
  elementsToColumn,
  emotiveValuesToColumn,
  hashNameToColumn,
  metadataToColumn,
} from "../../../src/store/rows/columns";

/** Writes a model that nobody has noted the last learning of. @param prefix the beginning of the table's name */
export function putEarlierModel(sql: SqlStorage, model: ModelRow, prefix = ""): void {
  const { id, name, frequency, symbols, lengths, emotives, metadata } = model;
  sql.exec(
    `INSERT INTO ${prefix}models (id, name, frequency, symbols, lengths, emotives, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    id,
    hashNameToColumn(name),
    frequency,
    elementsToColumn(symbols),
    elementsToColumn(lengths),
    emotiveValuesToColumn(emotives),
    metadataToColumn(metadata, lengths.length),
  );
}
