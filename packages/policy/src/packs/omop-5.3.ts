// OMOP 5.3: the shared tables, and those in which it differs from 5.4.

import { omopPersons, omopPublic, omopWithheld } from "./omop-core.ts"

const own = `
visit_occurrence | person_id | visit_occurrence_id
  visit_occurrence_id! person_id! visit_concept_id! visit_start_date! visit_start_datetime visit_end_date!
  visit_end_datetime visit_type_concept_id! provider_id care_site_id visit_source_value
  visit_source_concept_id
  admitting_source_concept_id admitting_source_value discharge_to_concept_id discharge_to_source_value
  preceding_visit_occurrence_id
visit_detail | person_id | visit_detail_id
  visit_detail_id! person_id! visit_detail_concept_id! visit_detail_start_date! visit_detail_start_datetime
  visit_detail_end_date! visit_detail_end_datetime visit_detail_type_concept_id! provider_id care_site_id
  visit_detail_source_value visit_detail_source_concept_id admitting_source_value
  admitting_source_concept_id
  discharge_to_source_value discharge_to_concept_id preceding_visit_detail_id visit_detail_parent_id
  visit_occurrence_id!
procedure_occurrence | person_id | procedure_occurrence_id
  procedure_occurrence_id! person_id! procedure_concept_id! procedure_date! procedure_datetime
  procedure_type_concept_id! modifier_concept_id quantity:integer:0..100 provider_id visit_occurrence_id
  visit_detail_id procedure_source_value procedure_source_concept_id modifier_source_value
device_exposure | person_id | device_exposure_id
  device_exposure_id! person_id! device_concept_id! device_exposure_start_date!
  device_exposure_start_datetime
  device_exposure_end_date device_exposure_end_datetime device_type_concept_id! unique_device_id:text:deny
  quantity:integer:0..100 provider_id visit_occurrence_id visit_detail_id device_source_value
  device_source_concept_id
measurement | person_id | measurement_id
  measurement_id! person_id! measurement_concept_id! measurement_date! measurement_datetime
  measurement_time:text:free measurement_type_concept_id! operator_concept_id value_as_number:float
  value_as_concept_id unit_concept_id range_low:float range_high:float provider_id visit_occurrence_id
  visit_detail_id measurement_source_value measurement_source_concept_id unit_source_value
  value_source_value:free
observation | person_id | observation_id
  observation_id! person_id! observation_concept_id! observation_date! observation_datetime
  observation_type_concept_id! value_as_number:float value_as_string:text:free value_as_concept_id
  qualifier_concept_id unit_concept_id provider_id visit_occurrence_id visit_detail_id
  observation_source_value
  observation_source_concept_id unit_source_value qualifier_source_value
note | person_id | note_id
  note_id! person_id! note_date! note_datetime note_type_concept_id! note_class_concept_id!
  note_title:text:free:deny note_text!:text:free:deny encoding_concept_id! language_concept_id! provider_id
  visit_occurrence_id visit_detail_id note_source_value:free:deny
location | withheld: where a person lives tells who it is; unit: public opens it | location_id
  location_id! address_1:text:free:deny address_2:text:free:deny city:text:deny state:text zip:text:deny
  county:text location_source_value:deny
metadata | public
  metadata_concept_id! metadata_type_concept_id! name!:text value_as_string:text value_as_concept_id
  metadata_date metadata_datetime
cdm_source | public
  cdm_source_name!:text cdm_source_abbreviation:text cdm_holder:text source_description:text
  source_documentation_reference:text cdm_etl_reference:text source_release_date cdm_release_date
  cdm_version:text vocabulary_version:text
attribute_definition | public
  attribute_definition_id! attribute_name!:text attribute_description:text attribute_type_concept_id!
  attribute_syntax:text
`

/** All tables of OMOP 5.3. */
export const omop53: string = [omopPersons, own, omopWithheld, omopPublic].join("\n")
