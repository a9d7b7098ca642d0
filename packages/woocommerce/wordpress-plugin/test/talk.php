<?php
/**
 * php talk.php FOLDER STEP: one request to a shop whose database is that folder, with a network that is real.
 * STEP is open (with the settings and orders as JSON), pay, refund, check, health or order.
 */

require __DIR__ . '/stubs/load.php';
require __DIR__ . '/customs.php';
require __DIR__ . '/network.php';

Shop_State::$folder = $argv[1];
Stubs::$companion   = 'over_the_network';

/** @return mixed What the step answers. */
function take_step( string $step, array $given ) {
	switch ( $step ) {
		case 'open':
			file_put_contents( Shop_State::$folder . '/state', serialize( array( 'options' => $given['options'], 'orders' => array() ) ) );
			place_order( $given['order'] );
			return true;
		case 'pay':
			return ( new Tillkit_Gateway() )->process_payment( the_order() )['redirect'];
		case 'refund':
			return ( new Tillkit_Gateway() )->process_refund( the_order(), $given['amount'] );
		case 'check':
			return tillkit_order_story_html( tillkit_ask( 'check', array( 'order' => (string) the_order(), 'key' => stored_order( the_order() )['key'], 'language' => 'en' ) ) );
		case 'health':
			return tillkit_health_findings( tillkit_ask( 'health', tillkit_newest_amount( tillkit_newest_order() ) + array( 'language' => 'en', 'webhook' => true ) ), tillkit_newest_order(), time() );
	}
	return stored_order( the_order() );
}

function the_order(): int {
	return (int) array_key_first( Shop_State::read()['orders'] );
}

$said = take_step( $argv[2], json_decode( $argv[3] ?? '{}', true ) );
echo json_encode( is_wp_error( $said ) ? array( 'error' => $said->get_error_message() ) : $said );
