<?php
/** The settings page of the payment method. */

defined( 'ABSPATH' ) || exit;

function tillkit_form_fields(): array {
	return array(
		'enabled'     => array(
			'title'   => __( 'Enable', 'tillkit-checkout' ),
			'type'    => 'checkbox',
			'label'   => __( 'Offer this payment method to shoppers', 'tillkit-checkout' ),
			'default' => 'no',
		),
		'title'       => array(
			'title'       => __( 'Title', 'tillkit-checkout' ),
			'type'        => 'text',
			'description' => __( 'What shoppers read at the checkout.', 'tillkit-checkout' ),
			'default'     => __( 'Mobile money or card', 'tillkit-checkout' ),
		),
		'description' => array(
			'title'   => __( 'Description', 'tillkit-checkout' ),
			'type'    => 'textarea',
			'default' => __( 'You pay on a secure page and come back to the shop.', 'tillkit-checkout' ),
		),
		'companion'   => array(
			'title'       => __( 'Companion’s address', 'tillkit-checkout' ),
			'type'        => 'text',
			'description' => __( 'The publicUrl of its configuration, for instance https://pay.example.com', 'tillkit-checkout' ),
			'default'     => '',
		),
		'store'       => array(
			'title'       => __( 'Store id', 'tillkit-checkout' ),
			'type'        => 'text',
			'description' => __( 'The id of this shop in the companion’s configuration.', 'tillkit-checkout' ),
			'default'     => '',
		),
		// Without a title WooCommerce's own API does not list it.
		'link_secret' => array( 'type' => 'tillkit_secret' ),
		'methods'     => array(
			'title'   => __( 'Pictures', 'tillkit-checkout' ),
			'type'    => 'multiselect',
			'class'   => 'wc-enhanced-select',
			'options' => tillkit_methods(),
			'default' => array_keys( tillkit_methods() ),
		),
		'test'        => array(
			'title'   => __( 'Test badge', 'tillkit-checkout' ),
			'type'    => 'checkbox',
			'label'   => __( 'Write “test” behind the title while no real money moves', 'tillkit-checkout' ),
			'default' => 'no',
		),
	);
}

/** The kept secret is not in the page: an empty field leaves it as it is. */
function tillkit_secret_row( string $name, string $forget_name ): string {
	$kept  = tillkit_link_secrets();
	$title = __( 'Link secret', 'tillkit-checkout' );
	$hint  = array() === $kept ? __( 'Not set yet', 'tillkit-checkout' ) : __( 'Set. Type a new one to replace it', 'tillkit-checkout' );
	$text  = __( 'The linkSecret of this store in the companion’s configuration, 32 characters or more. The one before it counts until you forget it.', 'tillkit-checkout' );
	$html  = '<tr valign="top"><th scope="row" class="titledesc"><label for="' . esc_attr( $name ) . '">' . esc_html( $title ) . '</label></th>';
	$html .= '<td class="forminp"><fieldset><input class="input-text regular-input" type="password" autocomplete="new-password" value=""';
	$html .= ' name="' . esc_attr( $name ) . '" id="' . esc_attr( $name ) . '" placeholder="' . esc_attr( $hint ) . '" />';
	$html .= '<p class="description">' . esc_html( $text ) . '</p>';
	if ( count( $kept ) > 1 ) {
		$forget = __( 'Forget the previous link secret: a day after the companion has the new one', 'tillkit-checkout' );
		$html  .= '<label><input type="checkbox" value="1" name="' . esc_attr( $forget_name ) . '" /> ' . esc_html( $forget ) . '</label>';
	}
	return $html . '</fieldset></td></tr>';
}
