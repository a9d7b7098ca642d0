<?php
/** The settings page, with the connection and the checks. */

defined( '_PS_VERSION_' ) || exit;

/** Name => validator of the text. */
const TILLKIT_TEXT_SETTINGS = array(
	'checkout_server' => 'tillkit_validate_checkout_server_url',
	'store'           => 'tillkit_validate_store_id',
	'dashboard'       => 'tillkit_validate_dashboard',
);

function tillkit_settings_page_html(): string {
	if ( Shop::isFeatureActive() && Shop::CONTEXT_SHOP !== Shop::getContext() ) {
		return tillkit_panel_html( 'Tillkit', tillkit_notice_html( tillkit_text( 'Choose one shop at the top of the page: each shop has its own connection.' ) ) );
	}
	$html = '';
	if ( Tools::isSubmit( 'tillkit_save' ) ) {
		foreach ( tillkit_save_settings() as $error ) {
			$html .= tillkit_warning_html( $error );
		}
	}
	return $html . tillkit_panel_html( tillkit_text( 'Connection' ), tillkit_connection_html() ) . tillkit_panel_html( tillkit_text( 'Settings' ), tillkit_settings_form_html() )
		. tillkit_panel_html( tillkit_text( 'Health' ), tillkit_health_boxes_html() );
}

/** A field that is not valid keeps its value. @return Tillkit_Error[] */
function tillkit_save_settings(): array {
	$changes = array( 'enabled' => '1' === tillkit_requested( 'enabled' ), 'test' => '1' === tillkit_requested( 'test' ), 'log' => '1' === tillkit_requested( 'log' ) );
	$errors  = array();
	foreach ( TILLKIT_TEXT_SETTINGS as $name => $validate ) {
		$value = $validate( tillkit_requested( $name ) );
		if ( $value instanceof Tillkit_Error ) {
			$errors[] = $value;
		} else {
			$changes[ $name ] = $value;
		}
	}
	tillkit_host()->change_settings( $changes );
	$secret = tillkit_change_link_secret( tillkit_requested( 'link_secret' ), '1' === tillkit_requested( 'forget_previous' ) );
	return $secret instanceof Tillkit_Error ? array_merge( $errors, array( $secret ) ) : $errors;
}

function tillkit_connection_html(): string {
	if ( '' === tillkit_host()->settings()['checkout_server'] ) {
		return '<p>' . tillkit_html( tillkit_text( 'Enter the checkout server address below and save. Then a button appears here that sets up the store id and the link secret by itself.' ) ) . '</p>';
	}
	$paired = tillkit_requested( 'tillkit_paired' );
	$html   = tillkit_copy_question_html();
	if ( '' !== $paired && tillkit_is_configured() ) {
		$html .= tillkit_notice_html( tillkit_connection_text( $paired ) );
	}
	$buttons = array( 'pair' => tillkit_is_configured() ? tillkit_text( 'Connect again with a new link secret' ) : tillkit_text( 'Connect with the checkout server' ) );
	if ( tillkit_has_owner_pages() ) {
		$html    .= '<p>' . tillkit_html( tillkit_text( 'By this button you also enter another key of the payment service, such as your live key.' ) ) . '</p>';
		$buttons += array( 'open' => tillkit_text( 'Open my payments' ), 'disconnect' => tillkit_text( 'Disconnect …' ) );
	}
	foreach ( $buttons as $action => $label ) {
		$html .= '<a class="btn btn-default btn-outline-secondary" href="' . tillkit_html( tillkit_admin_url() . "&action=$action" ) . '">' . tillkit_html( $label ) . '</a> ';
	}
	return $html;
}

/** Stands first: until it is answered, the pages decide and refund nothing. */
function tillkit_copy_question_html(): string {
	if ( '' === tillkit_copy_text() ) {
		return '';
	}
	$answers = array( 'moved' => tillkit_text( 'The shop moved here, or has this address too' ), 'copy' => tillkit_text( 'This is a copy: switch it to test mode, and end its connection' ) );
	return tillkit_notice_html( tillkit_copy_text() ) . tillkit_action_boxes_html( $answers );
}

/** @param array<string,string> $labels Action => label. */
function tillkit_action_boxes_html( array $labels ): string {
	$html = '';
	foreach ( $labels as $action => $label ) {
		$html .= tillkit_call_box_html( array( 'url' => tillkit_admin_url(), 'action' => $action ), array( 'run' => $label ) );
	}
	return $html;
}

/** In the order in which an owner needs them: the connection first, and last whether shoppers see the method. The page never has the stored secret. */
function tillkit_settings_form_html(): string {
	$settings = tillkit_host()->settings();
	$texts    = array(
		'checkout_server' => array( tillkit_text( 'Checkout server address' ), tillkit_text( 'You have it from whoever runs the checkout server, for instance https://pay.example.com. In its configuration it is the publicUrl.' ) ),
		'store'           => array( tillkit_text( 'Store id' ), tillkit_text( 'Filled in by the button under “Connection”. By hand: the id of this shop in the configuration of the checkout server.' ) ),
		'link_secret'     => array( tillkit_text( 'Link secret' ), tillkit_text( 'Filled in by the button, too. By hand: the linkSecret of this store in the configuration of the checkout server, 32 characters or more. The previous secret stays valid until you remove it.' ) ),
		'dashboard'       => array( tillkit_text( 'Dashboard address' ), tillkit_text( 'Optional. Makes each transaction a link: open one in the dashboard of the payment service, copy its address here, and write {transaction} in the place of its id.' ) ),
	);
	$html     = '';
	foreach ( $texts as $name => list( $title, $help ) ) {
		$kind  = 'link_secret' === $name ? 'type="password" autocomplete="new-password"' : 'type="text"';
		$hint  = array() === tillkit_link_secrets() ? tillkit_text( 'Not set yet' ) : tillkit_text( 'Set. Enter a new one to replace it' );
		$more  = 'link_secret' === $name ? ' placeholder="' . tillkit_html( $hint ) . '"' : '';
		$value = 'link_secret' === $name ? '' : (string) $settings[ $name ];
		$html .= '<p><label for="tillkit-' . $name . '">' . tillkit_html( $title ) . '</label><input class="form-control" ' . $kind . $more . ' name="' . $name . '" id="tillkit-' . $name . '" value="' . tillkit_html( $value ) . '"> <small>' . tillkit_html( $help ) . '</small></p>';
	}
	$boxes = array(
		'test'    => tillkit_text( 'Add “(test)” to the title while the shop uses a test key' ),
		'log'     => tillkit_text( 'Log every call under Advanced Parameters, Logs. The log contains no secrets and no personal data.' ),
		'enabled' => tillkit_text( 'Offer this payment method to shoppers' ),
	);
	if ( count( tillkit_link_secrets() ) > 1 ) {
		$boxes['forget_previous'] = tillkit_text( 'Remove the previous link secret (one day after the checkout server has the new one)' );
	}
	foreach ( $boxes as $name => $label ) {
		$html .= '<p><label><input type="checkbox" name="' . $name . '" value="1"' . ( $settings[ $name ] ?? false ? ' checked' : '' ) . '> ' . tillkit_html( $label ) . '</label></p>';
	}
	return '<form method="post">' . $html . '<button class="btn btn-primary" name="tillkit_save" value="1">' . tillkit_html( tillkit_text( 'Save' ) ) . '</button></form>';
}

function tillkit_health_boxes_html(): string {
	if ( ! tillkit_is_configured() ) {
		return '<p>' . tillkit_html( tillkit_text( 'The shop is not connected yet, so shoppers do not see this payment method.' ) ) . '</p>' . tillkit_health_results_html( tillkit_doctor_results() );
	}
	return tillkit_action_boxes_html( array( 'health' => tillkit_text( 'Check now' ), 'preview' => tillkit_text( 'Open a hosted page with this amount (test key only)' ) ) );
}

/** The way back to this page from the checkout server, without a token. */
function tillkit_settings_url(): string {
	return (string) Context::getContext()->link->getAdminLink( 'AdminTillkit', false, array(), array( 'action' => 'settings' ) );
}

function tillkit_state_name( int $state ): string {
	$rows = tillkit_select( 'SELECT `name` FROM `' . _DB_PREFIX_ . "order_state_lang` WHERE `id_order_state` = $state AND `id_lang` = " . (int) Context::getContext()->language->id );
	return (string) ( $rows[0]['name'] ?? '' );
}
