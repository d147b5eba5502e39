-- One row is kept here for every row that was imported: hundreds of thousands at once. Each looked up
-- whether the same tenant is there, which `imports.imports` has asked already; and nothing asks for them by
-- their import.
alter table imports.origins drop constraint origins_tenant_id_fkey;
drop index imports.origins_of_import;
