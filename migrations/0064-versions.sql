-- Which versions can work with what a migration has made of the database.

alter table platform.migrations add column unused_since text;
