/** What a merchant set for itself; null: nothing. */
export const merchantSettingsColumn = `
alter table organizations add column settings_json text;
`;
