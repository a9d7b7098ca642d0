<?php
/**
 * php shop-step.php FOLDER STEP [JSON]: one request to the shop whose database is in FOLDER. The plugin calls the checkout server
 * over HTTP.
 * STEP is open (with options and an order as JSON), pay, refund, check, health or order.
 */

require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';
require __DIR__ . '/http-client.php';

Shop_State::$folder     = $argv[1];
// The function that sends the plugin's requests, in place of a stub that answers them.
Stubs::$checkout_server = 'send_over_http';

/** @return mixed The result of the step. */
function run_step( string $step, array $input ) {
	switch ( $step ) {
		case 'open':
			file_put_contents( Shop_State::$folder . '/state', serialize( array( 'options' => $input['options'], 'orders' => array() ) ) );
			place_order( $input['order'] );
			return true;
		case 'pay':
			return ( new Tillkit_Gateway() )->process_payment( first_order_id() )['redirect'];
		case 'refund':
			return ( new Tillkit_Gateway() )->process_refund( first_order_id(), $input['amount'] );
		case 'check':
			return tillkit_order_timeline_html( tillkit_call_checkout_server( 'check', array( 'order' => (string) first_order_id(), 'key' => stored_order( first_order_id() )['key'], 'language' => 'en' ) ) );
		case 'health':
			$order = tillkit_newest_order();
			return tillkit_health_results( tillkit_call_health( $order ), $order, time() );
	}
	return stored_order( first_order_id() );
}

function first_order_id(): int {
	return (int) array_key_first( Shop_State::read()['orders'] );
}

$result = run_step( $argv[2], json_decode( $argv[3] ?? '{}', true ) );
echo json_encode( is_wp_error( $result ) ? array( 'error' => $result->get_error_message() ) : $result );
