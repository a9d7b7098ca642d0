<?php
/** What the module adds to the shop beside its tables, and takes away again. */

defined( '_PS_VERSION_' ) || exit;

/** Both states say nothing of money, so the shop numbers no invoice, counts no sale and sends no e-mail for them. States outlive the module, like orders. */
function tillkit_create_states(): bool {
	$states = array(
		'TILLKIT_STATE_WAITING' => array( '#34209e', 'Waiting for the payment (Tillkit)' ),
		'TILLKIT_STATE_REVIEW'  => array( '#d9534f', 'Payment to review (Tillkit)' ),
	);
	foreach ( $states as $name => list( $color, $title ) ) {
		$state = new OrderState( (int) Configuration::getGlobalValue( $name ) );
		if ( Validate::isLoadedObject( $state ) && ! $state->deleted ) {
			continue;
		}
		$state              = new OrderState();
		$state->color       = $color;
		$state->module_name = 'tillkit';
		$state->unremovable = true;
		foreach ( array( 'logable', 'paid', 'invoice', 'delivery', 'shipped', 'send_email', 'hidden' ) as $flag ) {
			$state->$flag = false;
		}
		$state->name = array();
		foreach ( Language::getLanguages( false ) as $language ) {
			$state->name[ (int) $language['id_lang'] ] = tillkit_host()->translate_for( $title, (string) $language['locale'] );
		}
		if ( ! $state->add() ) {
			return false;
		}
		Configuration::updateGlobalValue( $name, (int) $state->id );
	}
	return true;
}

/** Texts that are known before the shop has read our translations are listed for them here. */
function tillkit_state_titles(): array {
	return array( tillkit_text( 'Waiting for the payment (Tillkit)' ), tillkit_text( 'Payment to review (Tillkit)' ) );
}

/** A tab without a place in the menu: the shop knows by it who may open our admin controller. */
function tillkit_create_tab(): bool {
	if ( (int) Tab::getIdFromClassName( 'AdminTillkit' ) > 0 ) {
		return true;
	}
	$tab             = new Tab();
	$tab->class_name = 'AdminTillkit';
	$tab->module     = 'tillkit';
	$tab->id_parent  = -1;
	$tab->active     = true;
	$tab->name       = array();
	foreach ( Language::getLanguages( false ) as $language ) {
		$tab->name[ (int) $language['id_lang'] ] = 'Tillkit';
	}
	return (bool) $tab->add();
}

function tillkit_delete_tab(): bool {
	$id = (int) Tab::getIdFromClassName( 'AdminTillkit' );
	return 0 === $id || (bool) ( new Tab( $id ) )->delete();
}

function tillkit_delete_settings(): bool {
	foreach ( array( 'settings', 'link_secrets', 'pairing', 'environment', 'copy_of', 'settings_url' ) as $name ) {
		Configuration::deleteByName( tillkit_configuration_name( $name ) );
	}
	return true;
}
